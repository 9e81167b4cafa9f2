import type { ResolvedDockerConfig } from 'dsh-bash-docker'

/** What the server tells a model about itself, once. */
export function instructions({ workspace, network, cwd, timeoutMs, maxTimeoutMs }: ResolvedDockerConfig): string {
  return [
    'Runs bash in a container that belongs to this connection alone and ends with it.',
    workspaceSentence(workspace),
    `Commands start in ${cwd}.`,
    network === 'none' ? 'There is no network.' : 'There is a network.',
    'Files outside of the workspace are lost when the container ends; packages cannot be installed into the system.',
    `A command is ended after ${timeoutMs / 1000} s unless \`timeoutMs\` says otherwise, up to ${maxTimeoutMs / 1000} s;` +
      ' what takes longer runs with `run_in_background`.',
    'Output that is cut names a file: read it with a command, or as a resource of this server.',
  ].join(' ')
}

function workspaceSentence(workspace: ResolvedDockerConfig['workspace']): string {
  if (workspace.mode !== 'bind') return 'No folder of the host is visible in it.'
  const access = workspace.access === 'read-only' ? 'read-only' : 'and can be changed'
  return `The workspace is ${workspace.path}, at the same path as on the host, ${access}.`
}
