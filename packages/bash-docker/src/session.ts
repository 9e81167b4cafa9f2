import type { BashSandboxFacts } from 'dsh-bash'
import { SpillDirectory, type SpillFile } from 'dsh-bash-process'
import { type ContainerUser, type Engine, type SandboxContainer, startContainer } from 'dsh-container'
import type { ResolvedDockerConfig } from './config.ts'
import { sessionContainerSpec, sessionUser, spillWorldPath } from './session-spec.ts'
import type { Workspace } from './workspace.ts'

/** One live container and what belongs to it. */
export class Session {
  readonly container: SandboxContainer
  readonly user: ContainerUser
  readonly facts: BashSandboxFacts
  private readonly spills: SpillDirectory | undefined
  private runningCount = 0
  private idleTimer: NodeJS.Timeout | undefined
  private readonly idleMs: number

  private constructor(
    container: SandboxContainer,
    user: ContainerUser,
    facts: BashSandboxFacts,
    spills: SpillDirectory | undefined,
    idleMs: number,
  ) {
    this.container = container
    this.user = user
    this.facts = facts
    this.spills = spills
    this.idleMs = idleMs
    void container.ended.then(() => this.forget())
  }

  /** @throws what `startContainer` throws; nothing is left behind then */
  static async start(
    config: ResolvedDockerConfig,
    engine: Engine,
    origin: { key: string; image: string; workspace: Workspace | undefined },
    signal: AbortSignal,
  ): Promise<Session> {
    const user = sessionUser(config, origin.workspace)
    const spills = openSpillDirectory(engine, user)
    try {
      const spec = sessionContainerSpec(config, engine, { ...origin, spillHostPath: spills?.hostPath })
      const container = await startContainer(engine, spec, signal)
      const facts = { kind: 'docker', sessionId: spec.sessionId, image: origin.image }
      return new Session(container, user, facts, spills, config.idleMs)
    } catch (error) {
      spills?.remove()
      throw error
    }
  }

  /** A command begins to use it: it is not idle until as many {@link leave}. */
  enter(): void {
    this.runningCount += 1
    clearTimeout(this.idleTimer)
  }

  leave(): void {
    this.runningCount -= 1
    if (this.runningCount > 0 || this.container.isEnded) return
    this.idleTimer = setTimeout(() => void this.end(), this.idleMs)
    this.idleTimer.unref()
  }

  /** Ends every process in it and removes the container. */
  async end(): Promise<void> {
    await this.container.end()
    this.forget()
  }

  /** @throws when this session has no place for spill files */
  openSpill(stream: 'stdout' | 'stderr'): SpillFile {
    if (this.spills === undefined) throw new Error('the session has no place for spill files')
    return this.spills.open(stream)
  }

  /** The bytes of one of its spill files; undefined when the path is none of them. */
  readSpill(path: string): AsyncIterable<Uint8Array> | undefined {
    return this.spills?.has(path) === true ? this.spills.read(path) : undefined
  }

  private forget(): void {
    clearTimeout(this.idleTimer)
    this.spills?.remove()
  }
}

/**
 * A folder of this host that the container sees. An engine elsewhere cannot mount it, and files
 * that cannot be given to the commands' user are none of theirs: a spill is withheld then.
 */
function openSpillDirectory(engine: Engine, user: ContainerUser): SpillDirectory | undefined {
  if (!engine.isLocal) return undefined
  try {
    return new SpillDirectory({ worldPath: spillWorldPath, ...user })
  } catch {
    return undefined // EPERM: this process may not change owners
  }
}
