import { type Context, Service } from '@deepseek-ai/cordis'
import type { BashTaskId, OwnerToken } from './brand.ts'
import type { BashExecRequest, BashExecSpec, BashRunResult, BashTask, BashTaskRead } from './types.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    bash: BashExecutor
  }
}

/** Told once for each task that ended. */
export type TaskDoneListener = (task: BashTask) => void

/**
 * The bash seam: the one way in which a harness runs shell commands. An implementation is a
 * Cordis plugin and registers as `ctx.bash`; a second one in the same context throws.
 *
 * A command's failure is a result. A rejection means that the command could not be run, and is a
 * `SandboxError` of `dsh-bash-error`.
 */
export abstract class BashExecutor extends Service {
  // Cordis hands out services behind a proxy, where `#private` fields break.
  private readonly taskDoneListeners = new Set<TaskDoneListener>()
  private silenced = false

  constructor(ctx: Context) {
    super(ctx, 'bash')
    ctx.effect(() => () => this.silenceTaskDone(), 'bash task listeners')
  }

  /**
   * Fills in every default and cap. Synchronous and pure; nothing is defaulted after it.
   *
   * @throws when `request.timeoutMs` is not a positive finite number
   */
  abstract resolve(request: BashExecRequest): BashExecSpec

  /** Runs a command to its end. Rejects only when it could not be run. */
  abstract run(spec: BashExecSpec): Promise<BashRunResult>

  /**
   * Starts a command in the background and returns at once. No timeout applies; the abort signal
   * does. One that cannot be spawned still yields a task, `killed`, that says why on its stderr.
   */
  abstract start(spec: BashExecSpec): BashTask

  abstract get(id: BashTaskId): BashTask | undefined

  /** All tasks in the order of their start, finished ones included. */
  abstract list(): BashTask[]

  /** The owner verbatim; undefined for an unknown task and for an ownerless one. */
  abstract ownerOf(id: BashTaskId): OwnerToken | undefined

  /**
   * The output since the last read; never the same bytes twice.
   *
   * @throws `unknown bash task "<id>"`
   */
  abstract readOutput(id: BashTaskId): BashTaskRead

  /**
   * True when the task was running: it is `killed` from this moment, and its processes get TERM,
   * then KILL. False when it had ended.
   *
   * @throws `unknown bash task "<id>"`
   */
  abstract kill(id: BashTaskId): boolean

  /**
   * The complete bytes of a spilled stream, for the host. `spillPath` is a path in the command's
   * world and may mean nothing here.
   *
   * @throws `SPILL_UNAVAILABLE` for a path that this executor did not report, or whose session is gone
   */
  readSpill?(spillPath: string): AsyncIterable<Uint8Array>

  /**
   * Calls back once for each task that ends: completed, killed, or failed to spawn; before its
   * `done` resolves. Scoped to the caller's effect.
   *
   * @returns a disposer
   */
  onTaskDone(listener: TaskDoneListener): () => void {
    // A wrapper of its own, so that one function registered twice is two registrations.
    const registration: TaskDoneListener = (task) => listener(task)
    const dispose = this.ctx.effect(() => {
      this.taskDoneListeners.add(registration)
      return () => {
        this.taskDoneListeners.delete(registration)
      }
    }, 'bash.onTaskDone()')
    return () => {
      this.taskDoneListeners.delete(registration)
      void dispose()
    }
  }

  /** For implementations: tells every listener. One that throws is logged and harms nobody. */
  protected notifyTaskDone(task: BashTask): void {
    if (this.silenced) return
    for (const listener of this.taskDoneListeners) {
      try {
        listener(task)
      } catch (error) {
        console.error('bash: a task listener threw', error)
      }
    }
  }

  /** For implementations: no listener is called after this. The first step of a teardown. */
  protected silenceTaskDone(): void {
    this.silenced = true
    this.taskDoneListeners.clear()
  }
}
