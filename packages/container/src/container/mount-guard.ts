import { existsSync, realpathSync } from 'node:fs'
import { posix } from 'node:path'
import { messageOf, SandboxError } from 'dsh-bash-error'
import type { Engine } from '../engine/engine.ts'
import { knownSockets } from '../engine/known-sockets.ts'
import { processWorld } from '../engine/world.ts'
import type { ContainerMount } from './container-spec.ts'
import { liesIn } from './lies-in.ts'

/** Nothing in these belongs to a user: kernel interfaces and devices, the host's configuration, its sockets. */
const closedDirectories = ['/proc', '/sys', '/dev', '/etc', '/boot', '/run', '/var/run']

/** Directories of the system; a folder inside one may be somebody's workspace, they themselves are not. */
const systemDirectories = [
  '/',
  '/bin',
  '/home',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/media',
  '/mnt',
  '/opt',
].concat(
  ['/sbin', '/srv', '/tmp', '/usr', '/usr/bin', '/usr/lib', '/usr/local', '/usr/sbin', '/usr/share'],
  ['/var', '/var/lib', '/var/tmp'],
)

/**
 * A mount as the engine may get it: with the links of its source resolved, so that one that is
 * exchanged after the check leads nowhere else.
 *
 * Refuses to show a container what would hand it the host: system directories, kernel interfaces,
 * and whatever is or contains an engine's socket or data. A socket is as dangerous read-only.
 *
 * @throws `WORKSPACE_REFUSED`
 */
export function guardMount(engine: Engine, mount: ContainerMount): ContainerMount {
  if (!posix.isAbsolute(mount.source)) throw refused(mount.source, mount.source, 'its path is not absolute')
  const source = sourceOf(engine, mount)
  const refuse = (why: string): never => {
    throw refused(mount.source, source, why)
  }
  if (places(systemDirectories).includes(source)) refuse('it is a directory of the system')
  for (const socket of places(engineSockets(engine))) {
    if (liesIn(socket, source)) refuse(`it contains the engine's socket ${socket}`)
  }
  const { rootDir } = engine.info
  if (rootDir !== undefined && places([rootDir]).some((data) => liesIn(data, source) || liesIn(source, data))) {
    refuse(`it has to do with the engine's data in ${rootDir}`)
  }
  const closed = places(closedDirectories).find((directory) => liesIn(source, directory))
  if (closed !== undefined) refuse(`it lies in ${closed}, where nothing belongs to a user`)
  return { ...mount, source }
}

/** Where the folder really is. One of an engine elsewhere is on that engine's host, and cannot be looked at. */
function sourceOf(engine: Engine, { source }: ContainerMount): string {
  if (!engine.isLocal) return posix.normalize(source)
  try {
    return realpathSync(source)
  } catch (error) {
    throw refused(source, source, messageOf(error))
  }
}

/** The socket of this engine, and of every other that is there. */
function engineSockets(engine: Engine): string[] {
  const { socketPath } = engine.endpoint
  const others = knownSockets(processWorld())
    .map((known) => known.socketPath)
    .concat('/run/containerd/containerd.sock')
    .filter((path) => existsSync(path))
  return [...(socketPath === undefined ? [] : [socketPath]), ...others]
}

/** Each path, and where it leads when it is a link. */
function places(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    try {
      return [path, realpathSync(path)]
    } catch {
      return [path] // it is not there, or is the business of an engine elsewhere
    }
  })
}

function refused(path: string, resolvedPath: string, why: string): SandboxError {
  return new SandboxError('WORKSPACE_REFUSED', `${path} cannot be shown to a container: ${why}`, {
    context: { path, resolvedPath },
  })
}
