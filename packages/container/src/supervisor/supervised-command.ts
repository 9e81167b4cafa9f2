import type { SandboxError } from 'dsh-bash-error'
import type { Channel } from './channel.ts'
import type { Frame } from './frame-decoder.ts'
import { type CommandSpec, encodeRelease, encodeSignal, encodeSpawn, type TerminalSize } from './frame-encoder.ts'
import {
  type CommandExit,
  decodeEnd,
  decodeExited,
  decodeFailed,
  decodeTree,
  decodeU32,
  decodeU64,
  protocolError,
  type StreamEnd,
  type TreeReceipt,
} from './frame-payloads.ts'
import type { FrameWriter } from './frame-writer.ts'
import { frameType, streamId } from './protocol.ts'
import { startError } from './start-error.ts'
import { StdinSender } from './stdin-sender.ts'
import { receiveWindowBytes, StreamReceiver, type StreamSink } from './stream-receiver.ts'
import { sessionLost } from './session-lost.ts'

export interface CommandSinks {
  readonly stdout: StreamSink
  readonly stderr: StreamSink
}

/** The end of both output streams. */
export interface CommandOutputEnd {
  readonly stdout: StreamEnd
  readonly stderr: StreamEnd
}

const nothingLeft: TreeReceipt = { signalled: 0, remaining: 0, pids: [] }

/** One command of a supervisor, from the request to start it until nothing of it is left. */
export class SupervisedCommand implements Channel {
  /** Resolves when the command runs; rejects with a `SandboxError` when it could not, and then nothing of it is left. */
  readonly started: Promise<{ readonly pid: number }>
  /** Resolves when the command's own process has ended, survivors or not. Rejects with `SESSION_LOST`. */
  readonly exited: Promise<CommandExit>
  /** Resolves when nobody holds its output any more and all of it was delivered, or it was released. */
  readonly drained: Promise<CommandOutputEnd>
  /** Resolves when no process of it is left, also when its session is. */
  readonly gone: Promise<void>
  readonly stdin: StdinSender
  private readonly startedResolvers = Promise.withResolvers<{ readonly pid: number }>()
  private readonly exitedResolvers = Promise.withResolvers<CommandExit>()
  private readonly drainedResolvers = Promise.withResolvers<CommandOutputEnd>()
  private readonly goneResolvers = Promise.withResolvers<void>()
  private readonly signals = new Map<number, (receipt: TreeReceipt) => void>()
  private nextRequest = 1
  private hasStarted = false
  private hasExited = false
  private isGone = false
  private readonly channel: number
  private readonly spec: CommandSpec
  private readonly writer: FrameWriter
  private readonly stdout: StreamReceiver
  private readonly stderr: StreamReceiver

  /** @param size makes a terminal of its streams; all output is then stdout's */
  constructor(channel: number, spec: CommandSpec, sinks: CommandSinks, writer: FrameWriter, size?: TerminalSize) {
    this.channel = channel
    this.spec = spec
    this.writer = writer
    this.started = this.startedResolvers.promise
    this.exited = this.exitedResolvers.promise
    this.drained = this.drainedResolvers.promise
    this.gone = this.goneResolvers.promise
    // A caller who waits for one of them need not handle the others.
    for (const outcome of [this.started, this.exited, this.drained]) outcome.catch(() => undefined)
    this.stdout = new StreamReceiver(channel, streamId.stdout, spec.isLossless, sinks.stdout, writer)
    const ofStderr = spec.stderrTerms ?? spec
    this.stderr = new StreamReceiver(channel, streamId.stderr, ofStderr.isLossless, sinks.stderr, writer)
    this.stdin = new StdinSender(channel, writer)
    const creditBytes = receiveWindowBytes(spec.isLossless)
    writer.send(encodeSpawn(channel, spec, creditBytes, size, receiveWindowBytes(ofStderr.isLossless)))
    if (!spec.hasStdin) this.stdin.close()
  }

  /**
   * Sends `signal`, by the kernel's number, to every living process of the command, and counts them;
   * 0 sends nothing. SIGTERM also continues stopped ones. SIGKILL is repeated until none is left or
   * a second has passed. Also valid after the command's own process has ended.
   */
  signalTree(signal: number): Promise<TreeReceipt> {
    if (this.isGone) return Promise.resolve(nothingLeft)
    const request = this.nextRequest++
    this.writer.send(encodeSignal(this.channel, request, signal))
    return new Promise((resolve) => this.signals.set(request, resolve))
  }

  /** No more output is wanted. What survives keeps running and is not held up by it. */
  release(): void {
    this.stdout.release()
    this.stderr.release()
    if (!this.isOver) this.writer.send(encodeRelease(this.channel))
  }

  onFrame(frame: Frame): boolean {
    switch (frame.type) {
      case frameType.started:
        this.hasStarted = true
        this.startedResolvers.resolve({ pid: decodeU32(frame.payload) })
        break
      case frameType.failed:
        this.fail(startError(decodeFailed(frame.payload), this.spec))
        return true
      case frameType.data:
        this.receiver(frame).onData(frame.payload)
        break
      case frameType.skip:
        this.receiver(frame).onSkip(decodeU64(frame.payload))
        break
      case frameType.spill:
        this.receiver(frame).onSpill(frame.payload.toString('utf8'))
        break
      case frameType.end:
        this.receiver(frame).onEnd(decodeEnd(frame.payload))
        this.settleDrained()
        break
      case frameType.exited:
        this.onExited(frame)
        break
      case frameType.gone:
        this.settleGone()
        break
      case frameType.tree:
        this.onTree(decodeTree(frame.payload))
        break
      case frameType.credit:
        this.stdin.onCredit(decodeU32(frame.payload))
        break
      case frameType.reset:
        this.stdin.close()
        break
      default:
        throw protocolError(`a frame of type ${frame.type} on a command's channel`)
    }
    return this.isOver
  }

  onLost(error: SandboxError): void {
    this.fail(error)
  }

  private get isOver(): boolean {
    return this.hasExited && this.isGone && this.stdout.end !== undefined && this.stderr.end !== undefined
  }

  private receiver(frame: Frame): StreamReceiver {
    if (frame.stream === streamId.stdout) return this.stdout
    if (frame.stream === streamId.stderr) return this.stderr
    throw protocolError(`output on stream ${frame.stream}`)
  }

  private onExited(frame: Frame): void {
    const { isLost, ...exit } = decodeExited(frame.payload)
    if (!this.hasStarted) throw protocolError('an end before the start')
    this.hasExited = true
    if (isLost) this.exitedResolvers.reject(sessionLost('the keeper of the command ended before it'))
    else this.exitedResolvers.resolve(exit)
    if (!exit.hasSurvivors) this.settleGone()
    // The ends of the streams are mostly in the same bytes; only where they are not, more is asked for.
    queueMicrotask(() => {
      this.stdout.requestTail(this.spec.maxOutputBytes)
      this.stderr.requestTail((this.spec.stderrTerms ?? this.spec).maxOutputBytes)
    })
  }

  private onTree(answer: TreeReceipt & { request: number }): void {
    const { request, ...receipt } = answer
    this.signals.get(request)?.(receipt)
    this.signals.delete(request)
  }

  private settleDrained(): void {
    const stdout = this.stdout.end
    const stderr = this.stderr.end
    if (stdout !== undefined && stderr !== undefined) this.drainedResolvers.resolve({ stdout, stderr })
  }

  private settleGone(): void {
    this.isGone = true
    this.stdin.close()
    this.goneResolvers.resolve()
    for (const resolve of this.signals.values()) resolve(nothingLeft)
    this.signals.clear()
  }

  private fail(error: SandboxError): void {
    this.stdout.release()
    this.stderr.release()
    this.startedResolvers.reject(error)
    this.exitedResolvers.reject(error)
    this.drainedResolvers.reject(error)
    this.settleGone()
  }
}
