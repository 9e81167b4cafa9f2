import {
  type ContainerFiles,
  type ContainerUser,
  type Engine,
  openContainerFiles,
  type PresentImage,
  type SandboxContainer,
  sandboxEnvironment,
  sandboxSpec,
  startSupervised,
  type SupervisorConnection,
  watchedDisks,
} from 'dsh-container'
import type { ResolvedWorldConfig } from './config.ts'
import { type HostPrograms, hostPrograms } from './host-ripgrep.ts'
import type { WorldFolders } from './world-mounts.ts'

/** One live container of the world. */
export interface WorldSession {
  readonly container: SandboxContainer
  readonly supervisor: SupervisorConnection
  /** User and group of its processes. */
  readonly user: ContainerUser
  /** Its files, as that user sees them. */
  readonly files: ContainerFiles
  /** What every process has before anything else: the image's variables and the container's. */
  readonly baseEnvironment: Readonly<Record<string, string>>
  /** Program in the container by path on the host. */
  readonly hostPrograms: HostPrograms['places']
}

/** @throws what `startSupervised` throws; nothing is left behind then */
export async function startWorldSession(
  config: ResolvedWorldConfig,
  engine: Engine,
  image: PresentImage,
  folders: WorldFolders,
  signal: AbortSignal,
): Promise<WorldSession> {
  const programs = await hostPrograms(config)
  const user = config.user ?? folders.owner
  const spec = sandboxSpec(config, engine, {
    image: image.reference,
    user,
    mounts: [...folders.mounts, ...programs.mounts],
    labels: { 'bash-docker.session-key': 'harness', 'bash-docker.workspace': folders.workspacePath },
  })
  const { spillQuotaBytes, maxCommands } = config.limits
  const terms = { spillQuotaBytes, maxCommands, watchedPaths: watchedDisks(config).map(({ path }) => path) }
  const { container, supervisor } = await startSupervised(engine, spec, terms, signal)
  return {
    container,
    supervisor,
    user,
    files: openContainerFiles({ container, supervisor }, user),
    baseEnvironment: sandboxEnvironment(image.env, spec),
    hostPrograms: programs.places,
  }
}
