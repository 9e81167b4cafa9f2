import type { OwnerToken } from 'dsh-bash'
import { SandboxError } from 'dsh-bash-error'
import { connectEngine, type Engine, ensureImage } from 'dsh-container'
import type { ResolvedDockerConfig } from './config.ts'
import type { Session, SessionOrigin } from './session.ts'
import type { SessionObserver } from './session-event.ts'
import { resolveWorkspace } from './workspace.ts'

/** Starts a session over one transport. */
export type StartSession<LiveSession extends Session> = (
  config: ResolvedDockerConfig,
  engine: Engine,
  origin: SessionOrigin,
  signal: AbortSignal,
) => Promise<LiveSession>

/**
 * The sessions of one executor, one for each owner; commands without an owner share one. A session
 * starts with its first command, and a new one takes the place of one that ended.
 */
export class SessionPool<LiveSession extends Session> {
  private readonly config: ResolvedDockerConfig
  private readonly sessions = new Map<string, Promise<LiveSession>>()
  private readonly observe: SessionObserver
  private readonly start: StartSession<LiveSession>
  private readonly spares: Promise<LiveSession>[] = []
  private engine: Promise<Engine> | undefined
  private readonly disposal = new AbortController()

  constructor(config: ResolvedDockerConfig, observe: SessionObserver, start: StartSession<LiveSession>) {
    this.config = config
    this.observe = observe
    this.start = start
    this.refillSpares()
  }

  /** The owner's live session; the caller has entered it and must leave it. */
  async enter(owner: OwnerToken | undefined, workdir: string): Promise<LiveSession> {
    this.disposal.signal.throwIfAborted()
    const key = sessionKey(owner)
    const session = await (this.sessions.get(key) ?? this.begin(key, workdir))
    if (session.container.isEnded) {
      // It ended while we waited, and its place is free again.
      return this.enter(owner, workdir)
    }
    session.enter()
    return session
  }

  /** The live sessions. */
  async list(): Promise<LiveSession[]> {
    return this.settled(this.sessions.values())
  }

  private async settled(sessions: Iterable<Promise<LiveSession>>): Promise<LiveSession[]> {
    const settled = await Promise.allSettled(sessions)
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  }

  /** Ends every session, and the start of those that are still starting. */
  async dispose(): Promise<void> {
    this.disposal.abort(new SandboxError('EXECUTOR_DISPOSED', 'the bash executor was disposed'))
    const sessions = await this.settled([...this.sessions.values(), ...this.spares])
    await Promise.all(sessions.map((session) => session.end()))
  }

  private begin(key: string, firstWorkdir: string): Promise<LiveSession> {
    const starting = this.takeSpare() ?? this.startSession(key, firstWorkdir)
    this.sessions.set(key, starting)
    const forget = (): void => {
      if (this.sessions.get(key) === starting) this.sessions.delete(key)
    }
    starting.then((session) => session.container.ended.then(forget), forget)
    return starting
  }

  /** A spare that is started, or starting, or undefined; another takes its place. */
  private takeSpare(): Promise<LiveSession> | undefined {
    const spare = this.spares.shift()
    this.refillSpares()
    return spare
  }

  private refillSpares(): void {
    const { workspace, spareSessions } = this.config
    // Which folder a session sees may not be known before its first command.
    if (workspace.mode === 'bind-first-workdir') return
    while (this.spares.length < spareSessions) {
      const spare = this.startSession('spare', this.config.cwd)
      this.spares.push(spare)
      const drop = (): void => {
        const at = this.spares.indexOf(spare)
        if (at >= 0) this.spares.splice(at, 1)
      }
      // One that fails is no one's command: the next owner starts a session and is told why it cannot.
      spare.then((session) => session.container.ended.then(drop), drop)
    }
  }

  private async startSession(key: string, firstWorkdir: string): Promise<LiveSession> {
    // Before an image is pulled or built for it.
    const workspace = resolveWorkspace(this.config.workspace, firstWorkdir)
    const { signal } = this.disposal
    this.observe({ step: 'connect' })
    const engine = await this.connect()
    this.observe({ step: 'image', reference: this.config.image })
    const image = await ensureImage(engine, {
      reference: this.config.image,
      pull: this.config.pull,
      onProgress: (progress) => this.observe({ step: 'image-progress', progress }),
      signal,
    })
    this.observe({ step: 'container' })
    const session = await this.start(this.config, engine, { key, image, workspace }, signal)
    const { container, user, facts } = session
    const { id, name, sessionId } = container
    this.observe({
      step: 'started',
      session: { sessionId, image: facts.image, container: { id, name }, workspace, user },
    })
    return session
  }

  /** One connection for all sessions; a failed one is tried again by the next. */
  private connect(): Promise<Engine> {
    if (this.engine === undefined) {
      this.engine = connectEngine(this.config.engine)
      this.engine.catch(() => {
        this.engine = undefined
      })
    }
    return this.engine
  }
}

function sessionKey(owner: OwnerToken | undefined): string {
  return owner === undefined ? 'default' : `owner:${owner}`
}
