import { type BashTask, BashTaskId, type BashTaskRead, type OwnerToken } from 'dsh-bash'
import { isSandboxError, messageOf } from 'dsh-bash-error'
import { optionalFacts } from './run-result.ts'
import type { CommandOutcome, RunningCommand } from './running-command.ts'

/** A task and what the seam does not show of it. */
export interface TrackedTask extends BashTask {
  readonly owner: OwnerToken | undefined
  readonly running: RunningCommand
  /** Offsets in the whole streams, in bytes: what has been delivered. */
  stdoutOffset: number
  stderrOffset: number
}

/** The background tasks of one executor, in the order of their start. */
export class TaskRegistry {
  private readonly tasks = new Map<BashTaskId, TrackedTask>()
  private readonly onDone: (task: BashTask) => void
  private startedCount = 0

  constructor(onDone: (task: BashTask) => void) {
    this.onDone = onDone
  }

  add(command: string, owner: OwnerToken | undefined, running: RunningCommand): BashTask {
    this.startedCount += 1
    const done = Promise.withResolvers<void>()
    const task: TrackedTask = {
      id: BashTaskId(`bash-${this.startedCount}`),
      command,
      status: 'running',
      exitCode: null,
      signal: null,
      done: done.promise,
      owner,
      running,
      stdoutOffset: 0,
      stderrOffset: 0,
    }
    this.tasks.set(task.id, task)
    running.outcome
      .then(
        (outcome) => settle(task, outcome),
        (error: unknown) => fail(task, error),
      )
      .then(() => {
        this.onDone(task)
        done.resolve()
      })
    return task
  }

  get(id: BashTaskId): TrackedTask | undefined {
    return this.tasks.get(id)
  }

  /** @throws `unknown bash task "<id>"` */
  require(id: BashTaskId): TrackedTask {
    const task = this.tasks.get(id)
    if (task === undefined) throw new Error(`unknown bash task "${id}"`)
    return task
  }

  list(): TrackedTask[] {
    return [...this.tasks.values()]
  }

  clear(): void {
    this.tasks.clear()
  }
}

/** True when this call killed it. */
export function killTask(task: TrackedTask): boolean {
  if (task.status !== 'running') return false
  task.status = 'killed'
  task.running.end()
  return true
}

/** What the task printed since the last read; see `BashExecutor.readOutput`. */
export function readTask(task: TrackedTask): BashTaskRead {
  const stdout = task.running.stdout.readFrom(task.stdoutOffset)
  const stderr = task.running.stderr.readFrom(task.stderrOffset)
  task.stdoutOffset = stdout.nextOffset
  task.stderrOffset = stderr.nextOffset
  return {
    task,
    delta: joinStreams(stdout.text, stderr.text),
    lossy: stdout.lossy || stderr.lossy,
    ...(stdout.spillPath === undefined ? {} : { stdoutSpillPath: stdout.spillPath }),
    ...(stderr.spillPath === undefined ? {} : { stderrSpillPath: stderr.spillPath }),
  }
}

function joinStreams(stdout: string, stderr: string): string {
  if (stderr === '') return stdout
  const newline = stdout === '' || stdout.endsWith('\n') ? '' : '\n'
  return `${stdout}${newline}[stderr]\n${stderr}`
}

function settle(task: TrackedTask, outcome: CommandOutcome): void {
  if (task.status === 'running') task.status = outcome.cause === undefined ? 'completed' : 'killed'
  task.exitCode = outcome.exit.exitCode
  task.signal = outcome.exit.signal
  Object.assign(task, optionalFacts(outcome))
}

/** It was never spawned, or its end cannot be known: no exit code is invented for it. */
function fail(task: TrackedTask, error: unknown): void {
  task.status = 'killed'
  const isLost = isSandboxError(error) && error.code === 'SESSION_LOST'
  if (isLost) task.cause = { kind: 'session-lost', message: error.message }
  task.running.reportFailure(`${isLost ? 'lost' : 'spawn failed'}: ${messageOf(error)}`)
}
