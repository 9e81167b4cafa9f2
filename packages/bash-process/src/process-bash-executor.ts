import type { Context, Fiber } from '@deepseek-ai/cordis'
import {
  type BashExecRequest,
  type BashExecSpec,
  BashExecutor,
  type BashRunResult,
  type BashTask,
  type BashTaskId,
  type BashTaskRead,
  type OwnerToken,
} from 'dsh-bash'
import { SandboxError } from 'dsh-bash-error'
import type { ExecutorConfig } from './config.ts'
import type { ProcessHost } from './port.ts'
import { abortedBeforeSpawn, refusedProcess } from './refused-process.ts'
import { toRunResult } from './run-result.ts'
import { type CommandTerms, RunningCommand, type SpawnCommand } from './running-command.ts'
import { killTask, readTask, TaskRegistry } from './task-registry.ts'
import { validateSpec, validateTimeout } from './validate.ts'

/**
 * Every rule of the seam over one {@link ProcessHost}. An executor is a subclass that brings its
 * host and its configuration.
 */
export abstract class ProcessBashExecutor extends BashExecutor implements AsyncDisposable {
  /** Resolved configuration. */
  readonly config: ExecutorConfig
  private readonly host: ProcessHost
  private readonly fiber: Fiber
  private readonly tasks: TaskRegistry
  private readonly live = new Set<RunningCommand>()
  private isDisposed = false

  protected constructor(ctx: Context, config: ExecutorConfig, host: ProcessHost) {
    super(ctx)
    this.config = config
    this.host = host
    // `this.ctx` is the caller's in a call through the service proxy; the executor is this one's.
    this.fiber = ctx.fiber
    this.tasks = new TaskRegistry((task) => this.notifyTaskDone(task))
    ctx.effect(() => () => this.tearDown(), 'bash commands')
  }

  resolve(request: BashExecRequest): BashExecSpec {
    if (request.timeoutMs !== undefined) validateTimeout(request.timeoutMs, 'request.timeoutMs')
    return {
      command: request.command,
      workdir: request.workdir ?? this.config.cwd ?? process.cwd(),
      timeoutMs: Math.min(request.timeoutMs ?? this.config.timeoutMs, this.config.maxTimeoutMs),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
      ...(request.env === undefined ? {} : { env: request.env }),
      owner: request.owner,
    }
  }

  async run(spec: BashExecSpec): Promise<BashRunResult> {
    this.assertLoaded()
    assertStartable(spec)
    const command = this.launch(spec, this.spawner(spec), { timeoutMs: spec.timeoutMs, keepsLateOutput: false })
    const outcome = await command.outcome
    return toRunResult(command, outcome, spec.timeoutMs)
  }

  start(spec: BashExecSpec): BashTask {
    this.assertLoaded()
    let spawn = this.spawner(spec)
    try {
      assertStartable(spec)
    } catch (error) {
      spawn = () => refusedProcess(error)
    }
    const command = this.launch(spec, spawn, { timeoutMs: undefined, keepsLateOutput: true })
    return this.tasks.add(spec.command, spec.owner, command)
  }

  get(id: BashTaskId): BashTask | undefined {
    return this.tasks.get(id)
  }

  list(): BashTask[] {
    return this.tasks.list()
  }

  ownerOf(id: BashTaskId): OwnerToken | undefined {
    return this.tasks.get(id)?.owner
  }

  readOutput(id: BashTaskId): BashTaskRead {
    return readTask(this.tasks.require(id))
  }

  kill(id: BashTaskId): boolean {
    return killTask(this.tasks.require(id))
  }

  override readSpill(spillPath: string): AsyncIterable<Uint8Array> {
    return this.host.readSpill(spillPath)
  }

  /** For callers without a harness: unloads the plugin that this executor is. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.fiber.dispose()
  }

  private launch(spec: BashExecSpec, spawn: SpawnCommand, terms: Omit<CommandTerms, 'signal'>): RunningCommand {
    const command = new RunningCommand(spawn, this.config, { ...terms, signal: spec.signal })
    this.live.add(command)
    const forget = (): boolean => this.live.delete(command)
    command.outcome.then(forget, forget)
    return command
  }

  private spawner(spec: BashExecSpec): SpawnCommand {
    const { command, workdir, env, stdin, owner } = spec
    const { maxOutputBytes, maxSpillBytes } = this.config
    const capture = { maxOutputBytes, maxSpillBytes, isWhole: false }
    return (sinks, cancel) => this.host.spawn({ command, workdir, env, stdin, owner, capture }, sinks, cancel)
  }

  private assertLoaded(): void {
    if (this.isDisposed) throw new SandboxError('EXECUTOR_DISPOSED', 'the bash executor was disposed')
  }

  private async tearDown(): Promise<void> {
    this.isDisposed = true
    this.silenceTaskDone()
    const ending = [...this.live].map((command) => {
      command.end()
      return command.outcome.catch(() => undefined) // its caller is told
    })
    const tasks = this.tasks.list()
    for (const task of tasks) killTask(task)
    await Promise.all([...ending, ...tasks.map((task) => task.done)])
    for (const task of tasks) task.running.release()
    this.tasks.clear()
    await this.host.dispose()
  }
}

/** @throws what {@link validateSpec} throws, and `ABORTED_BEFORE_SPAWN` */
function assertStartable(spec: BashExecSpec): void {
  validateSpec(spec)
  if (spec.signal?.aborted === true) throw abortedBeforeSpawn(spec.signal)
}
