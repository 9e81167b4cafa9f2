import { randomBytes } from 'node:crypto'
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SandboxError } from 'dsh-bash-error'
import type { SpillFile } from 'dsh-bash-process'

/** The private directory (0700) of one executor's spill files (0600); made when it is first needed. */
export class SpillDirectory {
  private path: string | undefined
  private readonly files = new Set<string>()

  open(stream: string): SpillFile {
    this.path ??= mkdtempSync(join(tmpdir(), 'dsh-bash-'))
    const path = join(this.path, `${stream}-${randomBytes(16).toString('hex')}`)
    const descriptor = openSync(path, 'wx', 0o600)
    this.files.add(path)
    return {
      path,
      write: (chunk) => {
        for (let written = 0; written < chunk.length;) written += writeSync(descriptor, chunk, written)
      },
      close: () => closeSync(descriptor),
      discard: () => {
        this.files.delete(path)
        rmSync(path, { force: true })
        closeSync(descriptor)
      },
    }
  }

  /** @throws `SPILL_UNAVAILABLE` for a path that is not one of these files */
  read(path: string): AsyncIterable<Uint8Array> {
    if (!this.files.has(path)) {
      throw new SandboxError('SPILL_UNAVAILABLE', `not a spill file of this executor: ${path}`, { context: { path } })
    }
    return createReadStream(path)
  }

  remove(): void {
    if (this.path !== undefined) rmSync(this.path, { recursive: true, force: true })
    this.path = undefined
    this.files.clear()
  }
}
