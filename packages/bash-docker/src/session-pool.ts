import type { OwnerToken } from 'dsh-bash'
import { SandboxError } from 'dsh-bash-error'
import { connectEngine, type Engine, ensureImage } from 'dsh-container'
import type { ResolvedDockerConfig } from './config.ts'
import { Session } from './session.ts'
import type { SessionObserver } from './session-event.ts'
import { resolveWorkspace } from './workspace.ts'

/**
 * The sessions of one executor, one for each owner; commands without an owner share one. A session
 * starts with its first command, and a new one takes the place of one that ended.
 */
export class SessionPool {
  private readonly config: ResolvedDockerConfig
  private readonly sessions = new Map<string, Promise<Session>>()
  private readonly observe: SessionObserver
  private engine: Promise<Engine> | undefined
  private readonly disposal = new AbortController()

  constructor(config: ResolvedDockerConfig, observe: SessionObserver) {
    this.config = config
    this.observe = observe
  }

  /** The owner's live session; the caller has entered it and must leave it. */
  async enter(owner: OwnerToken | undefined, workdir: string): Promise<Session> {
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
  async list(): Promise<Session[]> {
    const settled = await Promise.allSettled(this.sessions.values())
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  }

  /** Ends every session, and the start of those that are still starting. */
  async dispose(): Promise<void> {
    this.disposal.abort(new SandboxError('EXECUTOR_DISPOSED', 'the bash executor was disposed'))
    const sessions = await this.list()
    await Promise.all(sessions.map((session) => session.end()))
  }

  private begin(key: string, firstWorkdir: string): Promise<Session> {
    const starting = this.startSession(key, firstWorkdir)
    this.sessions.set(key, starting)
    const forget = (): void => {
      if (this.sessions.get(key) === starting) this.sessions.delete(key)
    }
    starting.then((session) => session.container.ended.then(forget), forget)
    return starting
  }

  private async startSession(key: string, firstWorkdir: string): Promise<Session> {
    // Before an image is pulled or built for it.
    const workspace = resolveWorkspace(this.config.workspace, firstWorkdir)
    const { signal } = this.disposal
    this.observe({ step: 'connect' })
    const engine = await this.connect()
    this.observe({ step: 'image', reference: this.config.image })
    const { reference: image } = await ensureImage(engine, {
      reference: this.config.image,
      pull: this.config.pull,
      onProgress: (progress) => this.observe({ step: 'image-progress', progress }),
      signal,
    })
    this.observe({ step: 'container' })
    const session = await Session.start(this.config, engine, { key, image, workspace }, signal)
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
