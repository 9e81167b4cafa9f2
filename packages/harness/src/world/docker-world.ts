import { type Context, Service } from '@deepseek-ai/cordis'
import { SandboxError } from 'dsh-bash-error'
import { pluginConfig } from 'dsh-bash-process'
import { connectEngine, type Engine, ensureImage, type PresentImage } from 'dsh-container'
import { type DockerWorldConfig, type ResolvedWorldConfig, resolveWorldConfig, worldConfigSchema } from './config.ts'
import { worldFolders } from './world-mounts.ts'
import { startWorldSession, type WorldSession } from './world-session.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    dockerWorld: DockerWorld
  }
}

/** Whether the host's folders may be changed as configured, or not at all. */
export type WorldAccess = 'configured' | 'read-only'

/**
 * `ctx.dockerWorld`: owns the container in which the processes, terminals and files of a harness
 * live. The other plugins of this package ask for it each time, since one that ended under them is
 * replaced by a new one.
 */
export class DockerWorld extends Service {
  static readonly Config = pluginConfig('sandbox-docker', worldConfigSchema)

  readonly config: ResolvedWorldConfig
  private readonly sessions = new Map<WorldAccess, Promise<WorldSession>>()
  private readonly disposal = new AbortController()
  private readonly users = new Set<() => Promise<void>>()
  private engine: Promise<{ engine: Engine; image: PresentImage }> | undefined

  constructor(ctx: Context, config: DockerWorldConfig = {}) {
    super(ctx, 'dockerWorld')
    this.config = resolveWorldConfig(config)
    ctx.effect(() => () => this.end(), 'the end of the sandbox container')
  }

  /** Fails the load of the plugin, and with it the harness, where no container can be had. */
  async [Service.init](): Promise<void> {
    if (this.config.start === 'load') await this.enter()
  }

  /** The directory that stands for the harness's own. */
  get cwd(): string {
    return this.config.workspace.path
  }

  /**
   * The live container, started when there is none.
   *
   * @throws `EXECUTOR_DISPOSED`, `WORKSPACE_NOT_FOUND`, and what keeps a container from starting
   */
  async enter(access: WorldAccess = 'configured'): Promise<WorldSession> {
    this.disposal.signal.throwIfAborted()
    const session = await (this.sessions.get(access) ?? this.begin(access))
    // It ended while we waited, and its place is free again.
    return session.container.isEnded ? this.enter(access) : session
  }

  /**
   * Has `leave` called, and waited for, before a container ends: whoever runs something in it can end
   * that in its own way. Returns how to take that back.
   */
  use(leave: () => Promise<void>): () => void {
    this.users.add(leave)
    return () => void this.users.delete(leave)
  }

  private begin(access: WorldAccess): Promise<WorldSession> {
    const starting = this.start(access)
    this.sessions.set(access, starting)
    const forget = (): void => {
      if (this.sessions.get(access) === starting) this.sessions.delete(access)
    }
    starting.then((session) => session.container.ended.then(forget), forget)
    return starting
  }

  private async start(access: WorldAccess): Promise<WorldSession> {
    // Before an image is pulled or built for it.
    const folders = worldFolders(this.config, access === 'read-only')
    const { engine, image } = await this.connect()
    return startWorldSession(this.config, engine, image, folders, this.disposal.signal)
  }

  /** One connection for all containers; a failed one is tried again by the next. */
  private connect(): Promise<{ engine: Engine; image: PresentImage }> {
    if (this.engine === undefined) {
      this.engine = this.connectOnce()
      this.engine.catch(() => {
        this.engine = undefined
      })
    }
    return this.engine
  }

  private async connectOnce(): Promise<{ engine: Engine; image: PresentImage }> {
    const engine = await connectEngine(this.config.engine)
    const { image: reference, pull } = this.config
    const image = await ensureImage(engine, {
      reference,
      pull,
      onProgress: announceOnce(reference),
      signal: this.disposal.signal,
    })
    return { engine, image }
  }

  private async end(): Promise<void> {
    this.disposal.abort(new SandboxError('EXECUTOR_DISPOSED', 'the sandbox container was disposed'))
    await Promise.allSettled([...this.users].map((leave) => leave()))
    const sessions = await Promise.allSettled(this.sessions.values())
    await Promise.all(
      sessions.map((session) => (session.status === 'fulfilled' ? session.value.container.end() : undefined)),
    )
  }
}

/** An image that has to be had first takes its time: whoever waits is told why, once. */
function announceOnce(reference: string): () => void {
  let isAnnounced = false
  return () => {
    if (!isAnnounced) process.stderr.write(`sandbox-docker: fetching or building the image ${reference}, once\n`)
    isAnnounced = true
  }
}
