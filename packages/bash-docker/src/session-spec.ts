import { randomUUID } from 'node:crypto'
import {
  type ContainerMount,
  type ContainerSpec,
  type ContainerTmpfs,
  type ContainerUser,
  type Engine,
  labelNames,
} from 'dsh-container'
import { homeDirectory, type ResolvedDockerConfig } from './config.ts'
import type { SessionOrigin } from './session.ts'
import type { Workspace } from './workspace.ts'

/** User and group of commands when no workspace has an owner: the default image's `sandbox`. */
const defaultUser: ContainerUser = { uid: 1000, gid: 1000 }

/** User and group of a session's commands. */
export function sessionUser(config: ResolvedDockerConfig, workspace: Workspace | undefined): ContainerUser {
  return config.user ?? (workspace === undefined ? defaultUser : { uid: workspace.uid, gid: workspace.gid })
}

/**
 * The hardened container of one session, without what its transport needs; every field is decided
 * here, none inside `dsh-container`.
 */
export function sessionContainerSpec(
  config: ResolvedDockerConfig,
  engine: Engine,
  session: SessionOrigin,
): Omit<ContainerSpec, 'main'> {
  const { limits } = config
  const user = sessionUser(config, session.workspace)
  return {
    image: session.image.reference,
    sessionId: randomUUID(),
    labels: {
      'bash-docker.session-key': session.key,
      ...(session.workspace === undefined ? {} : { [labelNames.workspace]: session.workspace.path }),
    },
    env: { HOME: homeDirectory, USER: 'sandbox', LOGNAME: 'sandbox' },
    workdir: '/',
    mounts: [...workspaceMounts(session.workspace), ...readOnlyMounts(config.readOnlyPaths)],
    tmpfs: tmpfs(config, user).filter((entry) => entry.path !== session.workspace?.path),
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

function workspaceMounts(workspace: Workspace | undefined): ContainerMount[] {
  if (workspace === undefined) return []
  return [{ source: workspace.path, target: workspace.path, readOnly: workspace.readOnly }]
}

function readOnlyMounts(paths: readonly string[]): ContainerMount[] {
  return paths.map((path) => ({ source: path, target: path, readOnly: true }))
}

function tmpfs(config: ResolvedDockerConfig, user: ContainerUser): ContainerTmpfs[] {
  const { tmpBytes, homeBytes } = config.limits
  return [
    { path: '/tmp', sizeBytes: tmpBytes, mode: 0o1777, uid: 0, gid: 0 },
    { path: '/var/tmp', sizeBytes: tmpBytes, mode: 0o1777, uid: 0, gid: 0 },
    { path: homeDirectory, sizeBytes: homeBytes, mode: 0o700, ...user },
  ]
}
