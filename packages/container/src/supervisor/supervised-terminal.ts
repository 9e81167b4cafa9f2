import type { Readable } from 'node:stream'
import { SandboxError } from 'dsh-bash-error'
import type { Channel } from './channel.ts'
import type { Frame } from './frame-decoder.ts'
import { type CommandSpec, encodeForeground, encodeWindow, type TerminalSize } from './frame-encoder.ts'
import { type CommandExit, decodeForeground, type TerminalForeground, type TreeReceipt } from './frame-payloads.ts'
import type { FrameWriter } from './frame-writer.ts'
import { signalNumber } from './linux-names.ts'
import { frameType, maxWindowCells } from './protocol.ts'
import { SupervisedCommand } from './supervised-command.ts'
import { TerminalOutput } from './terminal-output.ts'

/** A command on a terminal of its own; nothing in it is defaulted. */
export interface TerminalSpec extends Omit<
  CommandSpec,
  'hasStdin' | 'maxOutputBytes' | 'maxSpillBytes' | 'isLossless'
> {
  readonly size: TerminalSize
}

/** What a terminal's foreground process group can be sent. */
export type TerminalSignal =
  'SIGHUP' | 'SIGINT' | 'SIGQUIT' | 'SIGKILL' | 'SIGTERM' | 'SIGCONT' | 'SIGTSTP' | 'SIGUSR1' | 'SIGUSR2' | 'SIGWINCH'

const stderrOfTerminal = { write: () => undefined, skip: () => undefined, spilled: () => undefined }

/**
 * One command on a pseudo-terminal, from the request to start it until nothing of it is left. The
 * command leads a session whose controlling terminal this is; when its own process ends, what the
 * terminal still holds is delivered and the terminal hangs up.
 */
export class SupervisedTerminal implements Channel {
  /** What the terminal displays, as bytes; ends once the command's own process has ended and all was read. */
  readonly output: Readable
  /** Resolves when the command's own process has ended, survivors or not. Rejects with `SESSION_LOST`. */
  readonly exited: Promise<CommandExit>
  /** Resolves when no process of it is left, in whatever session it was; also when the supervisor is lost. */
  readonly gone: Promise<void>
  private readonly command: SupervisedCommand
  private readonly questions = new Map<number, PromiseWithResolvers<TerminalForeground | undefined>>()
  private nextRequest = 1
  private knownPid = -1
  private endedBy: SandboxError | undefined
  private lostBy: SandboxError | undefined
  private termination: Promise<void> | undefined
  private readonly channel: number
  private readonly writer: FrameWriter

  /** For `SupervisorConnection` alone. @throws `TERMINAL_SIZE_INVALID`, `COMMAND_TOO_LARGE` */
  constructor(channel: number, { size, ...spec }: TerminalSpec, writer: FrameWriter) {
    requireSize(size)
    this.channel = channel
    this.writer = writer
    const output = new TerminalOutput(() => this.command.release())
    const whole = { ...spec, hasStdin: true, maxOutputBytes: 0, maxSpillBytes: 0, isLossless: true }
    this.command = new SupervisedCommand(channel, whole, { stdout: output, stderr: stderrOfTerminal }, writer, size)
    this.output = output.readable
    this.exited = this.command.exited
    this.gone = this.command.gone
    this.command.drained.then(
      () => output.end(),
      (error: SandboxError) => output.fail(error),
    )
  }

  /** The command's own process, in the container's pid namespace. */
  get pid(): number {
    return this.knownPid
  }

  /** Resolves when the command runs; rejects when it could not, and then nothing of it is left. */
  async started(): Promise<void> {
    const { pid } = await this.command.started
    this.knownPid = pid
  }

  /**
   * Input as if it were typed: the line discipline echoes it, edits lines and makes signals of Ctrl-C,
   * Ctrl-Z and Ctrl-\. Resolves when the supervisor's credit has taken all of it; calls keep their order.
   *
   * @throws `TERMINAL_ENDED` when the command has ended, `SESSION_LOST`
   */
  async write(data: string | Uint8Array): Promise<void> {
    this.requireLive()
    await this.command.stdin.write(typeof data === 'string' ? Buffer.from(data) : data)
    this.requireLive()
  }

  /**
   * Gives the terminal another size; its foreground process group gets SIGWINCH when it differs.
   *
   * @throws `TERMINAL_SIZE_INVALID`, `TERMINAL_ENDED`, `SESSION_LOST`
   */
  async resize(size: TerminalSize): Promise<void> {
    requireSize(size)
    this.requireLive()
    this.writer.send(encodeWindow(this.channel, size))
  }

  /**
   * The foreground process group now; undefined when there is none, as after the command's end.
   *
   * @throws `SESSION_LOST`
   */
  async inspectForeground(): Promise<TerminalForeground | undefined> {
    if (this.lostBy !== undefined) throw this.lostBy
    return this.endedBy === undefined ? this.askForeground(0) : undefined
  }

  /**
   * Sends a signal to every process of the foreground process group, whatever the terminal's settings.
   *
   * @returns the group that got it
   * @throws `TERMINAL_NO_FOREGROUND` when there is none, `TERMINAL_ENDED`, `SESSION_LOST`
   */
  async signalForeground(signal: TerminalSignal): Promise<number> {
    this.requireLive()
    const foreground = await this.askForeground(signalNumber(signal))
    if (foreground !== undefined) return foreground.processGroupId
    this.requireLive()
    throw new SandboxError('TERMINAL_NO_FOREGROUND', `no process group was in the foreground to get ${signal}`)
  }

  /** As of a command: to every living process, in whatever session; 0 only counts. Valid after the exit too. */
  signalTree(signal: number): Promise<TreeReceipt> {
    return this.command.signalTree(signal)
  }

  /**
   * Ends the whole tree, sessions made inside it too: SIGHUP and SIGTERM, and SIGKILL for what is left
   * after `graceMs` (0: at once). Resolves when none is left. A second call waits for the first.
   */
  terminate(graceMs: number): Promise<void> {
    this.termination ??= this.endTree(graceMs)
    return this.termination
  }

  onFrame(frame: Frame): boolean {
    if (frame.type === frameType.foregroundState) {
      const { request, foreground } = decodeForeground(frame.payload)
      this.questions.get(request)?.resolve(foreground)
      this.questions.delete(request)
      return false
    }
    const isOver = this.command.onFrame(frame)
    if (frame.type === frameType.exited) {
      this.endedBy = new SandboxError('TERMINAL_ENDED', 'the command of the terminal has ended')
      // A write that waits for credit finds the end instead, and no group is in the foreground any more.
      this.command.stdin.close()
      for (const question of this.questions.values()) question.resolve(undefined)
      this.questions.clear()
    }
    return isOver
  }

  onLost(error: SandboxError): void {
    this.endedBy = error
    this.lostBy = error
    this.command.onLost(error)
    for (const question of this.questions.values()) question.reject(error)
    this.questions.clear()
  }

  private requireLive(): void {
    if (this.endedBy !== undefined) throw this.endedBy
  }

  private askForeground(signal: number): Promise<TerminalForeground | undefined> {
    const request = this.nextRequest++
    const question = Promise.withResolvers<TerminalForeground | undefined>()
    this.questions.set(request, question)
    this.writer.send(encodeForeground(this.channel, request, signal))
    return question.promise
  }

  private async endTree(graceMs: number): Promise<void> {
    if (graceMs > 0) {
      // An interactive shell ignores SIGTERM; SIGHUP is what a terminal says at its end.
      await this.signalTree(signalNumber('SIGHUP'))
      await this.signalTree(signalNumber('SIGTERM'))
      await this.goneWithin(graceMs)
    }
    // Each is answered within about a second; the session's end remains for what no signal ends.
    for (let remaining = 1; remaining > 0;) ({ remaining } = await this.signalTree(signalNumber('SIGKILL')))
    await this.gone
  }

  private goneWithin(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      void this.gone.then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

function requireSize({ rows, columns }: TerminalSize): void {
  const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= maxWindowCells
  if (isCount(rows) && isCount(columns)) return
  throw new SandboxError('TERMINAL_SIZE_INVALID', `a terminal cannot have ${rows} rows and ${columns} columns`)
}
