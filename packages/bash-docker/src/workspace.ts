import { realpathSync, statSync } from 'node:fs'
import { normalize } from 'node:path'
import { SandboxError } from 'dsh-bash-error'
import { boundFolder, directoryOwner, type Folder, liesIn } from 'dsh-container'
import type { WorkspaceConfig } from './config.ts'

/** What a session sees of the host. */
export type Workspace = Folder

/**
 * The workspace of a session whose first command wants to run in `firstWorkdir`.
 *
 * @throws `WORKSPACE_NOT_FOUND`, `WORKSPACE_REFUSED`, `WORKDIR_NOT_FOUND`
 */
export function resolveWorkspace(config: WorkspaceConfig, firstWorkdir: string): Workspace | undefined {
  if (config.mode === 'none') return undefined
  const readOnly = config.access === 'read-only'
  if (config.mode === 'bind') return boundFolder(config.path, readOnly)
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

/** Compared with every link resolved, so that no link leads out of the root. */
function reallyLiesIn(path: string, root: string): boolean {
  if (statSync(root, { throwIfNoEntry: false }) === undefined) return false
  return liesIn(realpathSync(path), realpathSync(root))
}
