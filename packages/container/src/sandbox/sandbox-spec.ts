import { randomUUID } from 'node:crypto'
import type { ContainerMount, ContainerSpec, ContainerTmpfs, ContainerUser } from '../container/container-spec.ts'
import type { Engine } from '../engine/engine.ts'
import type { SandboxConfig } from './sandbox-config.ts'

/** Home directory of the commands, in every image. */
export const homeDirectory = '/home/sandbox'

/** User and group of commands when no workspace has an owner: the default image's `sandbox`. */
export const defaultUser: ContainerUser = { uid: 1000, gid: 1000 }

/** What differs from one sandbox container to the next. */
export interface SandboxPlace {
  /** A reference that is on the engine. */
  readonly image: string
  readonly user: ContainerUser
  /** Folders of the host. */
  readonly mounts: readonly ContainerMount[]
  readonly labels: Readonly<Record<string, string>>
}

/** A writable file system of a sandbox, and the limit on its size. */
export interface WatchedDisk {
  readonly path: string
  readonly limitName: string
  readonly sizeBytes: number
}

/** The hardened container of a sandbox, without what its transport needs. */
export function sandboxSpec(config: SandboxConfig, engine: Engine, place: SandboxPlace): Omit<ContainerSpec, 'main'> {
  const { limits } = config
  const mounted = new Set(place.mounts.map(({ target }) => target))
  return {
    image: place.image,
    sessionId: randomUUID(),
    labels: place.labels,
    env: { HOME: homeDirectory, USER: 'sandbox', LOGNAME: 'sandbox' },
    workdir: '/',
    mounts: place.mounts,
    tmpfs: tmpfs(config, place.user).filter(({ path }) => !mounted.has(path)),
    shmBytes: limits.shmBytes,
    memoryBytes: limits.memoryBytes,
    cpus: Math.min(limits.cpus, engine.info.cpuCount),
    pidsLimit: limits.pidsLimit,
    network: config.network,
    ...(config.runtime === undefined ? {} : { runtime: config.runtime }),
    ulimits: [{ name: 'core', soft: 0, hard: 0 }],
    hostname: 'sandbox',
    readOnlyRoot: true,
  }
}

/** In the order in which the supervisor numbers them. */
export function watchedDisks({ limits }: SandboxConfig): WatchedDisk[] {
  return [
    { path: '/tmp', limitName: 'tmpBytes', sizeBytes: limits.tmpBytes },
    { path: '/var/tmp', limitName: 'tmpBytes', sizeBytes: limits.tmpBytes },
    { path: homeDirectory, limitName: 'homeBytes', sizeBytes: limits.homeBytes },
    { path: '/dev/shm', limitName: 'shmBytes', sizeBytes: limits.shmBytes },
  ]
}

/** What every command has before anything else: the image's variables, then the container's. */
export function sandboxEnvironment(
  imageEnv: readonly string[],
  spec: Pick<ContainerSpec, 'env'>,
): Record<string, string> {
  const ofImage = imageEnv.map((assignment) => {
    const at = assignment.indexOf('=')
    return [assignment.slice(0, at), assignment.slice(at + 1)]
  })
  return { ...Object.fromEntries(ofImage), ...spec.env }
}

function tmpfs({ limits }: SandboxConfig, user: ContainerUser): ContainerTmpfs[] {
  const { tmpBytes, homeBytes } = limits
  return [
    { path: '/tmp', sizeBytes: tmpBytes, mode: 0o1777, uid: 0, gid: 0 },
    { path: '/var/tmp', sizeBytes: tmpBytes, mode: 0o1777, uid: 0, gid: 0 },
    { path: homeDirectory, sizeBytes: homeBytes, mode: 0o700, ...user },
  ]
}
