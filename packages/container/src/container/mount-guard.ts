import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { SandboxError } from 'dsh-bash-error'
import type { Engine } from '../engine/engine.ts'
import type { ContainerMount } from './container-spec.ts'

/** Nothing in these belongs to a user: kernel interfaces and devices. */
const kernelDirectories = ['/proc', '/sys', '/dev']

/** Directories of the system; a folder inside one may be somebody's workspace, they themselves are not. */
const systemDirectories = new Set(
  ['', '/bin', '/boot', '/etc', '/home', '/lib', '/lib32', '/lib64', '/libx32', '/media', '/mnt', '/opt', '/run']
    .concat(['/sbin', '/srv', '/tmp', '/usr', '/usr/local', '/var', '/var/lib', '/var/run', '/var/tmp'])
    .map((path) => path || sep),
)

const knownEngineSockets = ['/var/run/docker.sock', '/run/docker.sock', '/run/containerd/containerd.sock']

/**
 * Refuses to show a container what would hand it the host: system directories, kernel interfaces,
 * and whatever is or contains an engine's socket or data. Links are resolved first.
 *
 * @throws `WORKSPACE_REFUSED`
 */
export function assertMountAllowed(engine: Engine, mount: ContainerMount): void {
  const source = resolved(mount.source)
  const refuse = (why: string): never => {
    throw new SandboxError('WORKSPACE_REFUSED', `${mount.source} cannot be shown to a container: ${why}`, {
      context: { path: mount.source, resolvedPath: source },
    })
  }
  if (systemDirectories.has(source)) refuse('it is a directory of the system')
  if (kernelDirectories.some((directory) => lies(source, directory))) refuse('it is an interface of the kernel')
  const sockets = [
    ...knownEngineSockets,
    ...(engine.endpoint.socketPath === undefined ? [] : [engine.endpoint.socketPath]),
  ]
  for (const socket of sockets) if (lies(resolved(socket), source)) refuse(`it contains the engine's socket ${socket}`)
  const { rootDir } = engine.info
  if (rootDir === undefined) return
  const data = resolved(rootDir)
  if (lies(data, source) || lies(source, data)) refuse(`it has to do with the engine's data in ${rootDir}`)
}

function resolved(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // it is not there, or is the business of an engine elsewhere
  }
}

function lies(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}
