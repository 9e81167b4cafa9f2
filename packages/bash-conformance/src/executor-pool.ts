import type { ExecutorConfig, ExecutorUnderTest, World } from './executor-under-test.ts'

/** Makes executors, shares those that can be shared, and disposes of all that it made. */
export class ExecutorPool {
  private readonly create: (config: ExecutorConfig) => Promise<ExecutorUnderTest>
  private readonly defaults: ExecutorConfig
  private readonly sharedByConfig = new Map<string, Promise<ExecutorUnderTest>>()
  private readonly live = new Set<ExecutorUnderTest>()
  private readonly worldsSeen = new Set<World>()

  constructor(create: (config: ExecutorConfig) => Promise<ExecutorUnderTest>, defaults: ExecutorConfig) {
    this.create = create
    this.defaults = defaults
  }

  /** Every world that an executor of this pool ever ran in. */
  get worlds(): readonly World[] {
    return [...this.worldsSeen]
  }

  shared(config: ExecutorConfig = {}): Promise<ExecutorUnderTest> {
    const key = JSON.stringify(Object.entries(config).sort())
    const known = this.sharedByConfig.get(key)
    if (known !== undefined) return known
    const made = this.make(config)
    this.sharedByConfig.set(key, made)
    return made
  }

  async fresh(config: ExecutorConfig, use: (executor: ExecutorUnderTest) => Promise<void>): Promise<void> {
    const executor = await this.make(config)
    try {
      await use(executor)
    } finally {
      await this.disposeOf(executor)
    }
  }

  /** Safe to call more than once. */
  async disposeAll(): Promise<void> {
    this.sharedByConfig.clear()
    await Promise.all([...this.live].map((executor) => this.disposeOf(executor)))
  }

  private async make(config: ExecutorConfig): Promise<ExecutorUnderTest> {
    const executor = await this.create({ ...this.defaults, ...config })
    this.live.add(executor)
    this.worldsSeen.add(executor.world)
    return executor
  }

  private async disposeOf(executor: ExecutorUnderTest): Promise<void> {
    if (!this.live.delete(executor)) return
    await executor.dispose()
  }
}
