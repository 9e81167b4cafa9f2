import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, closeSync, createReadStream, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SandboxError } from 'dsh-bash-error'
import type { SpillFile } from './port.ts'

/** Who may read the files, and under which path their world sees the directory. */
export interface SpillPlacement {
  /** The directory's path in the command's world; the host's own path when the two are one. */
  worldPath: string
  /** User and group of the commands. */
  uid: number
  gid: number
}

/**
 * A private directory (0700) of spill files (0600, random names, exclusive creation) on the host.
 * Another world may see it, under a path of its own and owned by its user.
 */
export class SpillDirectory {
  readonly hostPath: string
  private readonly worldPath: string
  private readonly owner: { uid: number; gid: number } | undefined
  /** Host path by world path. */
  private readonly files = new Map<string, string>()

  /** @throws when the directory cannot be made, or not be given to the commands' user */
  constructor(placement?: SpillPlacement) {
    this.hostPath = mkdtempSync(join(tmpdir(), 'dsh-bash-'))
    this.worldPath = placement?.worldPath ?? this.hostPath
    this.owner = placement
    chmodSync(this.hostPath, 0o700)
    this.handOver(this.hostPath)
  }

  open(stream: 'stdout' | 'stderr'): SpillFile {
    const name = `${stream}-${randomBytes(16).toString('hex')}`
    const hostPath = join(this.hostPath, name)
    const path = join(this.worldPath, name)
    const descriptor = openSync(hostPath, 'wx', 0o600)
    this.handOver(hostPath)
    this.files.set(path, hostPath)
    return {
      path,
      write: (chunk) => {
        for (let written = 0; written < chunk.length;) written += writeSync(descriptor, chunk, written)
      },
      close: () => closeSync(descriptor),
      discard: () => {
        this.files.delete(path)
        rmSync(hostPath, { force: true })
        closeSync(descriptor)
      },
    }
  }

  has(path: string): boolean {
    return this.files.has(path)
  }

  /** @throws `SPILL_UNAVAILABLE` for a path that is not one of these files */
  read(path: string): AsyncIterable<Uint8Array> {
    const hostPath = this.files.get(path)
    if (hostPath === undefined) throw spillUnavailable(path)
    return createReadStream(hostPath)
  }

  remove(): void {
    rmSync(this.hostPath, { recursive: true, force: true })
    this.files.clear()
  }

  private handOver(path: string): void {
    if (this.owner !== undefined) chownSync(path, this.owner.uid, this.owner.gid)
  }
}

/** The error for a path that names no spill file that can be read now. */
export function spillUnavailable(path: string): SandboxError {
  return new SandboxError('SPILL_UNAVAILABLE', `not a spill file of this executor: ${path}`, { context: { path } })
}
