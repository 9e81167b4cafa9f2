import { existsSync, realpathSync } from 'node:fs'
import { SandboxError } from 'dsh-bash-error'
import { boundFolder, type ContainerMount, type ContainerUser } from 'dsh-container'
import type { ResolvedWorldConfig } from './config.ts'

/** What a container of the world sees of the host, and whose it is. */
export interface WorldFolders {
  readonly mounts: readonly ContainerMount[]
  /** The workspace, every link resolved: how the harness names the directory of a session. */
  readonly workspacePath: string
  /** Who owns the workspace: the user and group of the processes. */
  readonly owner: ContainerUser
}

/**
 * The configured folders. Each is also seen under its real path, where that is another one: the
 * harness resolves the links of a session's directory before it names it.
 *
 * @param isReadOnly nothing of the host may be changed, whatever was configured
 * @throws `WORKSPACE_NOT_FOUND`
 */
export function worldFolders(config: ResolvedWorldConfig, isReadOnly: boolean): WorldFolders {
  const workspace = boundFolder(config.workspace.path, config.workspace.access === 'read-only')
  const others = config.paths.filter(isThere).map(({ path, access }) => ({ path, readOnly: access === 'read-only' }))
  const workspacePath = realpathSync(workspace.path)
  const mounts = new Map<string, ContainerMount>()
  for (const { path, readOnly } of [workspace, ...others]) {
    for (const target of [path, realpathSync(path)]) {
      if (!mounts.has(target)) mounts.set(target, { source: path, target, readOnly: readOnly || isReadOnly })
    }
  }
  return { mounts: [...mounts.values()], workspacePath, owner: { uid: workspace.uid, gid: workspace.gid } }
}

function isThere({ path, optional }: ResolvedWorldConfig['paths'][number]): boolean {
  if (existsSync(path)) return true
  if (optional) return false
  throw new SandboxError('WORKSPACE_NOT_FOUND', `there is nothing to show to the container: ${path}`, {
    context: { path },
  })
}
