import {
  type ContainerUser,
  type Engine,
  type SandboxContainer,
  sandboxEnvironment,
  startSupervised,
  type SupervisorConnection,
  type WatchedDisk,
  watchedDisks,
} from 'dsh-container'
import type { ResolvedDockerConfig } from './config.ts'
import { Session, type SessionOrigin } from './session.ts'
import { sessionContainerSpec, sessionUser } from './session-spec.ts'

/** A session whose commands are run by the supervisor in its container. */
export class SupervisedSession extends Session {
  readonly supervisor: SupervisorConnection
  /** What every command has before anything else: the image's variables and the container's. */
  readonly baseEnvironment: Readonly<Record<string, string>>
  readonly limits: ResolvedDockerConfig['limits']
  /** In the order in which the supervisor numbers them. */
  readonly watched: readonly WatchedDisk[]
  private readonly spillPaths = new Set<string>()

  private constructor(
    container: SandboxContainer,
    user: ContainerUser,
    image: string,
    config: ResolvedDockerConfig,
    supervisor: SupervisorConnection,
    baseEnvironment: Readonly<Record<string, string>>,
  ) {
    super(container, user, image, config.idleMs)
    this.supervisor = supervisor
    this.baseEnvironment = baseEnvironment
    this.limits = config.limits
    this.watched = watchedDisks(config)
  }

  /** @throws what `startSupervised` throws; nothing is left behind then */
  static async start(
    config: ResolvedDockerConfig,
    engine: Engine,
    origin: SessionOrigin,
    signal: AbortSignal,
  ): Promise<SupervisedSession> {
    const user = sessionUser(config, origin.workspace)
    const spec = sessionContainerSpec(config, engine, origin)
    const { spillQuotaBytes, maxCommands } = config.limits
    const watchedPaths = watchedDisks(config).map(({ path }) => path)
    const terms = { spillQuotaBytes, maxCommands, watchedPaths }
    const { container, supervisor } = await startSupervised(engine, spec, terms, signal)
    const { reference, env } = origin.image
    return new SupervisedSession(container, user, reference, config, supervisor, sandboxEnvironment(env, spec))
  }

  /** A command reported one of its spill files. */
  rememberSpill(path: string): void {
    this.spillPaths.add(path)
  }

  override readSpill(path: string): AsyncIterable<Uint8Array> | undefined {
    return this.spillPaths.has(path) ? this.spillBytes(path) : undefined
  }

  /** Keeps this process alive while the supervisor has to answer. */
  async holding<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.container.hold()
    try {
      return await ask()
    } finally {
      this.container.letGo()
    }
  }

  private async *spillBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
    this.container.hold()
    try {
      yield* this.supervisor.readSpill(path)
    } finally {
      this.container.letGo()
    }
  }
}
