import { setTimeout as delay } from 'node:timers/promises'
import type { BashKillReceipt } from 'dsh-bash'
import { SandboxError } from 'dsh-bash-error'
import { Deadline, type DeadlineCause } from './deadline.ts'
import { endTree } from './escalation.ts'
import { OutputCapture } from './output-capture.ts'
import type { CaptureLimits, HostedProcess, ProcessExit, ProcessSinks, SpawnFacts } from './port.ts'

/** How much of a command is kept, and how patiently it is ended. */
export interface CommandLimits extends CaptureLimits {
  /** Milliseconds from TERM to KILL, and how long a survivor may hold the output of a finished command. */
  graceMs: number
}

/** What may end a command from outside, and what happens to output after its end. */
export interface CommandTerms {
  signal: AbortSignal | undefined
  /** Undefined: no timeout applies. */
  timeoutMs: number | undefined
  /** Whether what survivors write after the command's end is still captured. */
  keepsLateOutput: boolean
}

/** How a command ended. */
export interface CommandOutcome {
  exit: ProcessExit
  spawn: SpawnFacts
  /** What cut it short, when that was its deadline. */
  cause: DeadlineCause | undefined
  /** A survivor still held the output. */
  outputHeld: boolean
  /** Of the end of its processes, when that was ours. */
  receipt: BashKillReceipt | undefined
}

/** Starts the process of a command; `ProcessHost.spawn` with the spec filled in. */
export type SpawnCommand = (sinks: ProcessSinks, cancel: AbortSignal) => HostedProcess

/**
 * One live command: its process, its deadline, its captured output and its end. Foreground and
 * background runs differ only in their {@link CommandTerms} and in who waits.
 */
export class RunningCommand {
  readonly stdout: OutputCapture
  readonly stderr: OutputCapture
  /** Rejects with a `SandboxError` when the command could not be run or its end could not be learnt. */
  readonly outcome: Promise<CommandOutcome>
  /** Known once the command exists. */
  spawn: SpawnFacts | undefined
  private readonly process: HostedProcess
  private readonly limits: CommandLimits
  private readonly terms: CommandTerms
  private readonly deadline: Deadline
  private readonly cancelSpawn = new AbortController()
  private ending: Promise<void> | undefined
  private receipt: BashKillReceipt | undefined
  private readonly unendable = Promise.withResolvers<never>()

  constructor(spawn: SpawnCommand, limits: CommandLimits, terms: CommandTerms) {
    this.limits = limits
    this.terms = terms
    this.stdout = new OutputCapture(limits)
    this.stderr = new OutputCapture(limits)
    this.process = spawn({ stdout: this.stdout, stderr: this.stderr }, this.cancelSpawn.signal)
    const openSpill = this.process.openSpill?.bind(this.process)
    if (openSpill !== undefined) {
      this.stdout.spillTo(() => openSpill('stdout'))
      this.stderr.spillTo(() => openSpill('stderr'))
    }
    this.deadline = new Deadline(terms.signal, () => this.end())
    this.deadline.watch()
    this.outcome = this.settle()
    // Whoever asked for the command awaits the outcome; disposal may be quicker than they are.
    this.outcome.catch(() => undefined)
    this.unendable.promise.catch(() => undefined)
  }

  /** The process id in the command's own world, where that is known. */
  get pid(): number | undefined {
    return this.spawn?.pid
  }

  /** Begins TERM → grace → KILL, once; later calls change nothing. */
  end(): void {
    if (this.ending !== undefined) return
    this.cancelSpawn.abort(this.terms.signal?.reason)
    this.ending = this.process.spawned.then(
      () => this.endTree(),
      () => undefined, // it never ran: the outcome says why
    )
  }

  /** Stops capturing what survivors of a finished command still write. */
  release(): void {
    this.stdout.finish()
    this.stderr.finish()
    this.process.release()
  }

  /** Appends to the captured stderr why the command did not run or was lost, on a line of its own. */
  reportFailure(message: string): void {
    const newline = this.stderr.endsLine ? '' : '\n'
    this.stderr.write(Buffer.from(newline + message))
  }

  private async endTree(): Promise<void> {
    this.receipt = await endTree(this.process, this.limits.graceMs)
    const { remainingCount } = this.receipt
    if (remainingCount === 0) return
    this.unendable.reject(
      new SandboxError('SESSION_LOST', `${remainingCount} processes of the command outlived SIGKILL`, {
        context: { remainingCount },
      }),
    )
  }

  private async settle(): Promise<CommandOutcome> {
    let outputHeld = false
    try {
      const exit = await this.awaitExit()
      await this.ending
      outputHeld = await this.isOutputHeld(exit)
      return { exit, spawn: this.spawn ?? {}, cause: this.deadline.cause, outputHeld, receipt: this.receipt }
    } finally {
      if (outputHeld && this.terms.keepsLateOutput) void this.process.drained.then(() => this.release())
      else this.release()
    }
  }

  private async awaitExit(): Promise<ProcessExit> {
    // What fires after the exit did not cause it.
    using deadline = this.deadline
    this.spawn = await this.process.spawned
    if (this.terms.timeoutMs !== undefined) deadline.arm(this.terms.timeoutMs)
    return await Promise.race([this.process.exited, this.unendable.promise])
  }

  /** The grace is for survivors: output that is merely on its way is waited for. */
  private async isOutputHeld({ hasSurvivors }: ProcessExit): Promise<boolean> {
    if (hasSurvivors !== false) return !(await this.drainedWithin(this.limits.graceMs))
    await this.process.drained
    return false
  }

  private async drainedWithin(graceMs: number): Promise<boolean> {
    const cancelWait = new AbortController()
    const drained = this.process.drained.then(() => true)
    const waited = delay(graceMs, false, { signal: cancelWait.signal }).catch(() => false)
    try {
      return await Promise.race([drained, waited])
    } finally {
      cancelWait.abort()
    }
  }
}
