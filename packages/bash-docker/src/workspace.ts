import { realpathSync, statSync } from 'node:fs'
import { normalize } from 'node:path'
import { SandboxError } from 'dsh-bash-error'
import { liesIn } from 'dsh-container'
import type { WorkspaceConfig } from './config.ts'

/** A folder of the host, bound into a session at the same absolute path. */
export interface Workspace {
  path: string
  readOnly: boolean
  /** Who owns it on the host: the user and group of the commands. */
  uid: number
  gid: number
}

/**
 * The workspace of a session whose first command wants to run in `firstWorkdir`.
 *
 * @throws `WORKSPACE_NOT_FOUND`, `WORKSPACE_REFUSED`, `WORKDIR_NOT_FOUND`
 */
export function resolveWorkspace(config: WorkspaceConfig, firstWorkdir: string): Workspace | undefined {
  if (config.mode === 'none') return undefined
  const readOnly = config.access === 'read-only'
  if (config.mode === 'bind') {
    const owner = directoryOwner(config.path)
    if (owner !== undefined) return { path: normalize(config.path), readOnly, ...owner }
    throw new SandboxError('WORKSPACE_NOT_FOUND', `the workspace is not a directory: ${config.path}`, {
      context: { path: config.path },
    })
  }
  const owner = directoryOwner(firstWorkdir)
  if (owner === undefined) {
    throw new SandboxError('WORKDIR_NOT_FOUND', `ENOENT: no such directory: ${firstWorkdir}`, {
      context: { workdir: firstWorkdir },
    })
  }
  if (!config.within.some((root) => reallyLiesIn(firstWorkdir, root))) {
    throw new SandboxError('WORKSPACE_REFUSED', `${firstWorkdir} lies in none of the allowed folders`, {
      context: { path: firstWorkdir, within: config.within },
      hint: 'Add the folder to workspace.within, if commands may see all of it.',
    })
  }
  return { path: normalize(firstWorkdir), readOnly, ...owner }
}

function directoryOwner(path: string): { uid: number; gid: number } | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isDirectory() === true ? { uid: stat.uid, gid: stat.gid } : undefined
}

/** Compared with every link resolved, so that no link leads out of the root. */
function reallyLiesIn(path: string, root: string): boolean {
  if (statSync(root, { throwIfNoEntry: false }) === undefined) return false
  return liesIn(realpathSync(path), realpathSync(root))
}
