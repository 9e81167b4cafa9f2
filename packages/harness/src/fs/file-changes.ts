import {
  type FsEditOutcome,
  type FsEditRequest,
  FsError,
  type FsTarget,
  FsVersion,
  type FsWriteIntent,
  type FsWriteOutcome,
} from '@deepseek-ai/dsh-fs'
import type { ContainerFiles, FileInfo, FileVersion, WriteGuard } from 'dsh-container'
import { notObserved, toFsError } from './fs-error.ts'
import { literalEdit } from './literal-edit.ts'
import { TargetLock } from './target-lock.ts'
import { filePathOf } from './target.ts'
import { editableText, textForDiff, withLf } from './text.ts'

/** As the harness's own provider makes files. */
const newFileMode = 0o600

/** An edit that nobody guards is tried again when a command changes the file under it. */
const maxEditAttempts = 5

/** The two changes that the seam knows, each one critical section of its file. */
export class FileChanges {
  private readonly lock = new TargetLock()
  private readonly files: () => Promise<ContainerFiles>
  private readonly diffBasisMaxBytes: number

  constructor(files: () => Promise<ContainerFiles>, diffBasisMaxBytes: number) {
    this.files = files
    this.diffBasisMaxBytes = diffBasisMaxBytes
  }

  /** @throws `FS_NOT_REGULAR_FILE`, `FS_NOT_OBSERVED` and `FS_STALE_VERSION` by the intent, and why it cannot be written */
  write(
    target: FsTarget,
    content: string,
    expected: FsWriteIntent | undefined,
    signal: AbortSignal | undefined,
  ): Promise<FsWriteOutcome> {
    return this.changing('write', target, async (files) => {
      const path = filePathOf(target)
      const bytes = Buffer.from(content)
      const existing = await files.stat(path, { signal })
      if (existing !== undefined) refuseSpecial(existing, 'write', target)
      const guard = guardOf(expected, existing, target)
      const before = await this.diffBasis(files, target, existing, bytes.length, signal)
      const { isNew, info } = await files.write(path, bytes, { guard, createParents: true, newFileMode, signal })
      return {
        operation: isNew ? 'create' : 'update',
        version: FsVersion(info.version),
        before: isNew ? null : before,
        after: withLf(content),
      }
    })
  }

  /** @throws `FS_STALE_VERSION` also for a file that is not there, `FS_NOT_TEXT`, and what {@link literalEdit} throws */
  edit(
    target: FsTarget,
    edit: FsEditRequest,
    expected: { version: FsVersion } | undefined,
    signal: AbortSignal | undefined,
  ): Promise<FsEditOutcome> {
    return this.changing('edit', target, async (files) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await editOnce(files, target, edit, expected, signal)
        } catch (error) {
          const isOvertaken = toFsError(error, 'edit', target.displayPath).code === 'FS_STALE_VERSION'
          if (!isOvertaken || expected !== undefined || attempt === maxEditAttempts) throw error
          if ((await files.stat(filePathOf(target), { signal })) === undefined) throw error
        }
      }
    })
  }

  private changing<Outcome>(
    verb: string,
    target: FsTarget,
    change: (files: ContainerFiles) => Promise<Outcome>,
  ): Promise<Outcome> {
    return this.lock.hold(target.targetKey, async () => {
      try {
        return await change(await this.files())
      } catch (error) {
        throw toFsError(error, verb, target.displayPath)
      }
    })
  }

  /** What was there before, where both sides are small enough to be compared. */
  private async diffBasis(
    files: ContainerFiles,
    target: FsTarget,
    existing: FileInfo | undefined,
    newBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    const limitBytes = this.diffBasisMaxBytes - 1
    if (existing === undefined || existing.sizeBytes > limitBytes || newBytes > limitBytes) return null
    try {
      const { bytes } = await files.read(filePathOf(target), limitBytes, { signal })
      return textForDiff(bytes)
    } catch (error) {
      if (toFsError(error, 'read', target.displayPath).code === 'FS_ABORTED') throw error
      return null // it may be written, though it cannot be read or has grown
    }
  }
}

async function editOnce(
  files: ContainerFiles,
  target: FsTarget,
  edit: FsEditRequest,
  expected: { version: FsVersion } | undefined,
  signal: AbortSignal | undefined,
): Promise<FsEditOutcome> {
  const path = filePathOf(target)
  const { displayPath } = target
  const existing = await files.stat(path, { signal })
  if (existing === undefined) throw stale('edit', displayPath)
  refuseSpecial(existing, 'edit', target)
  // Before the text is searched: newer content is no place to look for older text.
  if (expected !== undefined && existing.version !== (expected.version as string)) throw stale('edit', displayPath)
  const { info, bytes } = await files.read(path, Number.MAX_SAFE_INTEGER, { signal })
  if (expected !== undefined && info.version !== existing.version) throw stale('edit', displayPath)
  const { text: before, restore } = editableText(bytes, displayPath)
  const after = literalEdit(before, edit, displayPath)
  const guard: WriteGuard = { kind: 'replace', version: info.version }
  const written = await files.write(path, Buffer.from(restore(after)), { guard, signal })
  return { version: FsVersion(written.info.version), before, after }
}

function guardOf(
  expected: FsWriteIntent | undefined,
  existing: FileInfo | undefined,
  { displayPath }: FsTarget,
): WriteGuard | undefined {
  if (expected === undefined) return undefined
  if (expected.kind === 'createIfAbsent') {
    if (existing !== undefined) throw notObserved(displayPath)
    return { kind: 'create' }
  }
  if (existing?.version !== (expected.version as string)) throw stale('write', displayPath)
  return { kind: 'replace', version: expected.version as string as FileVersion }
}

function refuseSpecial({ kind }: FileInfo, verb: string, { displayPath }: FsTarget): void {
  if (kind === 'file') return
  throw new FsError(`cannot ${verb} "${displayPath}": not a regular file`, 'FS_NOT_REGULAR_FILE')
}

function stale(verb: string, path: string): FsError {
  return new FsError(`cannot ${verb} "${path}": file changed since it was read`, 'FS_STALE_VERSION')
}
