import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { messageOf } from 'dsh-bash-error'
import { usageError } from '../arguments/usage-error.ts'

/**
 * What `--stdin` names: a file, or the caller's own standard input for `-`. It is read as fast as
 * the command reads it.
 *
 * @throws `USAGE` when the file cannot be read
 */
export async function openInput(source: string): Promise<Readable> {
  if (source === '-') return process.stdin
  try {
    const file = await open(source)
    if (!(await file.stat()).isDirectory()) return file.createReadStream()
    await file.close()
  } catch (error) {
    throw usageError(`--stdin cannot read the file: ${messageOf(error)}`)
  }
  throw usageError(`--stdin cannot read the file: ${source} is a directory`)
}
