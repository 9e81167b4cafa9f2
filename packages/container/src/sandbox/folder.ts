import { statSync } from 'node:fs'
import { normalize } from 'node:path'
import { SandboxError } from 'dsh-bash-error'

/** A folder of the host, bound into a sandbox at the same absolute path. */
export interface Folder {
  path: string
  readOnly: boolean
  /** Who owns it on the host: the user and group of the commands. */
  uid: number
  gid: number
}

/**
 * A folder to be bound as it is.
 *
 * @throws `WORKSPACE_NOT_FOUND`
 */
export function boundFolder(path: string, readOnly: boolean): Folder {
  const owner = directoryOwner(path)
  if (owner !== undefined) return { path: normalize(path), readOnly, ...owner }
  throw new SandboxError('WORKSPACE_NOT_FOUND', `the workspace is not a directory: ${path}`, { context: { path } })
}

/** Undefined for what is no directory. */
export function directoryOwner(path: string): { uid: number; gid: number } | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() === true ? { uid: stat.uid, gid: stat.gid } : undefined
}
