import { type FsEditRequest, FsError } from '@deepseek-ai/dsh-fs'
import { withLf } from './text.ts'

/**
 * Replaces text literally; line ends are LF on both sides.
 *
 * @throws `FS_EDIT_NOT_FOUND`; `FS_AMBIGUOUS_EDIT` for several places, unless all are meant
 */
export function literalEdit(text: string, { oldString, newString, replaceAll }: FsEditRequest, path: string): string {
  const wanted = withLf(oldString)
  if (wanted === '') throw new FsError('old_string must not be empty', 'FS_EDIT_NOT_FOUND')
  const parts = text.split(wanted)
  const matchCount = parts.length - 1
  if (matchCount === 0) throw new FsError(`old_string not found in "${path}"`, 'FS_EDIT_NOT_FOUND')
  if (matchCount > 1 && !replaceAll) {
    throw new FsError(
      `old_string matched ${matchCount} times in "${path}"; provide a more specific old_string or set replace_all to true`,
      'FS_AMBIGUOUS_EDIT',
    )
  }
  return parts.join(withLf(newString))
}
