import {
  type ContainerMount,
  type ContainerSpec,
  type ContainerUser,
  defaultUser,
  type Engine,
  labelNames,
  sandboxSpec,
} from 'dsh-container'
import type { ResolvedDockerConfig } from './config.ts'
import type { SessionOrigin } from './session.ts'
import type { Workspace } from './workspace.ts'

/** User and group of a session's commands. */
export function sessionUser(config: ResolvedDockerConfig, workspace: Workspace | undefined): ContainerUser {
  return config.user ?? (workspace === undefined ? defaultUser : { uid: workspace.uid, gid: workspace.gid })
}

/** The hardened container of one session, without what its transport needs. */
export function sessionContainerSpec(
  config: ResolvedDockerConfig,
  engine: Engine,
  session: SessionOrigin,
): Omit<ContainerSpec, 'main'> {
  return sandboxSpec(config, engine, {
    image: session.image.reference,
    user: sessionUser(config, session.workspace),
    mounts: [...workspaceMounts(session.workspace), ...readOnlyMounts(config.readOnlyPaths)],
    labels: {
      'bash-docker.session-key': session.key,
      ...(session.workspace === undefined ? {} : { [labelNames.workspace]: session.workspace.path }),
    },
  })
}

function workspaceMounts(workspace: Workspace | undefined): ContainerMount[] {
  if (workspace === undefined) return []
  return [{ source: workspace.path, target: workspace.path, readOnly: workspace.readOnly }]
}

function readOnlyMounts(paths: readonly string[]): ContainerMount[] {
  return paths.map((path) => ({ source: path, target: path, readOnly: true }))
}
