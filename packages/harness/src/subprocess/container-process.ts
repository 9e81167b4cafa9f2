import { setTimeout as delay } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'
import type {
  SubprocessCollectedOutputs,
  SubprocessHandle,
  SubprocessOutcome,
  SubprocessSpawnSpec,
} from '@deepseek-ai/dsh-subprocess'
import { abortedBeforeSpawn, endTree, type TreeSignal } from 'dsh-bash-process'
import type { SupervisedCommand } from 'dsh-container'
import type { WorldSession } from '../world/index.ts'
import { ProcessInput, sendInput } from './process-input.ts'
import { type StandardStreams, standardStreams } from './standard-streams.ts'
import { spawnError } from './spawn-error.ts'

/** The kernel's numbers; 0 only counts. */
const signalNumbers: Readonly<Record<TreeSignal, number>> = { SIGTERM: 15, SIGKILL: 9, probe: 0 }

/** A process that the supervisor was asked to start, and the container that it is in. */
export interface StartedProcess {
  readonly session: WorldSession
  readonly command: SupervisedCommand
}

/** Asks for the process to be started, unless `cancel` has aborted: then it rejects, and nothing runs. */
export type StartProcess = (streams: StandardStreams, cancel: AbortSignal) => Promise<StartedProcess>

/**
 * One process of the container behind the harness's handle, from before there is a container to run
 * it in until nothing of its tree is left.
 */
export class ContainerProcess implements SubprocessHandle {
  readonly stdin: Writable | undefined
  readonly stdout: Readable | undefined
  readonly stderr: Readable | undefined
  readonly collected: SubprocessCollectedOutputs
  readonly done: Promise<SubprocessOutcome>
  /** Resolves when nothing of the tree is left, also when it never was. */
  private readonly gone: Promise<void>
  private readonly starting: Promise<StartedProcess>
  private readonly streams: StandardStreams
  private readonly graceMs: number
  private readonly hasPipes: boolean
  private readonly cancel = new AbortController()
  private started: StartedProcess | undefined
  private knownPid = -1
  private isTerminating = false
  private isGone = false

  constructor(spec: SubprocessSpawnSpec, start: StartProcess) {
    const { stdio, signal } = spec
    this.graceMs = spec.graceMs
    this.hasPipes = stdio.stdout === 'pipe' || stdio.stderr === 'pipe'
    this.streams = standardStreams(stdio)
    this.collected = this.streams.collected
    this.stdout = this.streams.readable.stdout
    this.stderr = this.streams.readable.stderr
    this.starting = this.begin(spec, start)
    this.stdin = stdio.stdin === 'pipe' ? new ProcessInput(this.starting.then(({ command }) => command)) : undefined
    this.gone = this.starting.then(({ command }) => command.gone).then(nothing, nothing)
    void this.gone.then(() => {
      this.isGone = true
    })
    this.done = this.settle()
    this.done.catch(nothing) // a caller may look at the streams alone
    const onAbort = (): void => this.end(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const forget = (): void => signal?.removeEventListener('abort', onAbort)
    this.done.then(forget, forget)
  }

  /** In the container's pid namespace. */
  get pid(): number {
    return this.knownPid
  }

  terminate(): void {
    this.end(new Error('terminated'))
  }

  async waitForExit(signal?: AbortSignal): Promise<boolean> {
    if (this.isGone) return true
    if (signal?.aborted === true) return false
    const bound = Promise.withResolvers<false>()
    const onAbort = (): void => bound.resolve(false)
    signal?.addEventListener('abort', onAbort, { once: true })
    const letGo = this.hold()
    try {
      return await Promise.race([this.gone.then(() => true), bound.promise])
    } finally {
      letGo()
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Before there is a process, its start is given up: it will never be. */
  private end(reason: unknown): void {
    if (this.isTerminating || this.isGone) return
    this.isTerminating = true
    if (this.started === undefined) this.cancel.abort(reason)
    else void this.endTree(this.started)
  }

  private async begin(spec: SubprocessSpawnSpec, start: StartProcess): Promise<StartedProcess> {
    // The handle is there first; whatever fails is its outcome.
    await Promise.resolve()
    const started = await start(this.streams, this.cancel.signal)
    const { command } = started
    this.started = started
    // It was asked for and cancelled in the same moment.
    if (this.isTerminating) void this.endTree(started)
    sendInput(spec.stdio.stdin, command)
    command.started.then(({ pid }) => (this.knownPid = pid), nothing)
    // A pipe is the caller's for as long as somebody in the container can write to it.
    command.drained.then(this.streams.endPipes, this.streams.endPipes)
    return started
  }

  private async settle(): Promise<SubprocessOutcome> {
    try {
      const { session, command } = await this.starting
      session.container.hold()
      try {
        await command.started
        const { exitCode, signal } = await command.exited
        await this.untilDrained(command)
        return { exitCode, signal: signal as NodeJS.Signals | null }
      } finally {
        session.container.letGo()
      }
    } catch (error) {
      const isCancelled = this.started === undefined && this.cancel.signal.aborted
      throw isCancelled ? abortedBeforeSpawn(this.cancel.signal) : spawnError(error)
    } finally {
      this.streams.endCollected()
      if (this.started === undefined) this.streams.endPipes()
    }
  }

  /** What a survivor holds delays the outcome by the grace at most. */
  private async untilDrained(command: SupervisedCommand): Promise<void> {
    const late = new AbortController()
    const grace = delay(this.graceMs, undefined, { signal: late.signal, ref: false })
    await Promise.race([command.drained, grace]).catch(nothing) // the exit is known, whatever became of the rest
    late.abort()
    grace.catch(nothing)
    // Nobody collects any more; what survives is not held up by it.
    if (!this.hasPipes) command.release()
  }

  private async endTree({ command }: StartedProcess): Promise<void> {
    const letGo = this.hold()
    try {
      const signalTree = async (signal: TreeSignal): Promise<number> =>
        (await command.signalTree(signalNumbers[signal])).remaining
      await endTree({ signalTree }, this.graceMs)
    } finally {
      letGo()
    }
  }

  /** Keeps this process alive while something of the tree is waited for. */
  private hold(): () => void {
    const container = this.started?.session.container
    container?.hold()
    return () => container?.letGo()
  }
}

function nothing(): void {}
