import { Context } from '@deepseek-ai/cordis'
import {
  type BashExecRequest,
  type BashExecSpec,
  BashExecutor,
  type BashRunResult,
  type BashTask,
  BashTaskId,
  type BashTaskRead,
  type OwnerToken,
} from 'dsh-bash'

interface ScriptedTask extends BashTask {
  readonly owner: OwnerToken | undefined
  readonly settle: () => void
}

/** An executor in memory: it runs nothing, keeps what it was asked, and answers as it is told. */
export class ScriptedBashExecutor extends BashExecutor {
  readonly requests: BashExecRequest[] = []
  readonly specs: BashExecSpec[] = []
  /** What `run` does. */
  answer: (spec: BashExecSpec) => Promise<BashRunResult> = async () => runResult({})
  /** What the next `readOutput` gives beside the task. */
  nextRead: Omit<BashTaskRead, 'task'> = { delta: '', lossy: false }
  private readonly tasks = new Map<BashTaskId, ScriptedTask>()

  resolve(request: BashExecRequest): BashExecSpec {
    this.requests.push(request)
    return {
      ...('stdin' in request && request.stdin !== undefined ? { stdin: request.stdin } : {}),
      ...('env' in request && request.env !== undefined ? { env: request.env } : {}),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      command: request.command,
      workdir: request.workdir ?? '/default',
      timeoutMs: request.timeoutMs ?? 120_000,
      owner: request.owner,
    }
  }

  async run(spec: BashExecSpec): Promise<BashRunResult> {
    this.specs.push(spec)
    return this.answer(spec)
  }

  start(spec: BashExecSpec): BashTask {
    this.specs.push(spec)
    const { promise: done, resolve: settle } = Promise.withResolvers<void>()
    const id = BashTaskId(`bash-${this.tasks.size + 1}`)
    const { command, owner } = spec
    const task: ScriptedTask = { id, command, owner, status: 'running', exitCode: null, signal: null, done, settle }
    this.tasks.set(id, task)
    return task
  }

  get(id: BashTaskId): BashTask | undefined {
    return this.tasks.get(id)
  }

  list(): BashTask[] {
    return [...this.tasks.values()]
  }

  ownerOf(id: BashTaskId): OwnerToken | undefined {
    return this.tasks.get(id)?.owner
  }

  readOutput(id: BashTaskId): BashTaskRead {
    return { task: this.require(id), ...this.nextRead }
  }

  kill(id: BashTaskId): boolean {
    const task = this.require(id)
    if (task.status !== 'running') return false
    task.status = 'killed'
    return true
  }

  /** Ends a task as its world would. */
  end(id: string, exit: { exitCode: number } | { signal: NodeJS.Signals }): void {
    const task = this.require(BashTaskId(id))
    if (task.status === 'running') task.status = 'completed'
    Object.assign(task, exit)
    this.notifyTaskDone(task)
    task.settle()
  }

  private require(id: BashTaskId): ScriptedTask {
    const task = this.tasks.get(id)
    if (task === undefined) throw new Error(`the test knows no task ${id}`)
    return task
  }
}

/** A scripted executor in a context of its own. */
export async function scriptedBash(): Promise<ScriptedBashExecutor> {
  const ctx = new Context()
  await ctx.plugin(ScriptedBashExecutor)
  return ctx.bash as ScriptedBashExecutor
}

/** A run that printed nothing and exited with 0, but for what is given. */
export function runResult(facts: Partial<BashRunResult>): BashRunResult {
  return {
    exitCode: 0,
    signal: null,
    timedOut: false,
    aborted: false,
    timeoutMs: 120_000,
    stdout: { text: '', truncated: false },
    stderr: { text: '', truncated: false },
    ...facts,
  }
}
