import type { Readable, Writable } from 'node:stream'
import { isSandboxError, SandboxError } from 'dsh-bash-error'
import type { Channel } from './channel.ts'
import { type Frame, FrameDecoder } from './frame-decoder.ts'
import { type CommandSpec, encodePing } from './frame-encoder.ts'
import { decodeHello, decodeToken, decodeU32, protocolError, type SupervisorHello } from './frame-payloads.ts'
import { FrameWriter } from './frame-writer.ts'
import { frameType, protocolErrors, protocolVersion } from './protocol.ts'
import { sessionLost } from './session-lost.ts'
import { SpillReader } from './spill-reader.ts'
import { type CommandSinks, SupervisedCommand } from './supervised-command.ts'
import { SupervisedTerminal, type TerminalSpec } from './supervised-terminal.ts'

const maxChannel = 0xffff_ffff

/**
 * The host's side of one supervisor. When the stream ends, whatever the reason, everything that ran
 * on it rejects with `SESSION_LOST`; when it cannot be understood, with `ENGINE_PROTOCOL`.
 */
export class SupervisorConnection {
  /** Resolves with what the supervisor said of itself first. */
  readonly hello: Promise<SupervisorHello>
  /** Resolves with the reason when the stream has ended; never rejects. */
  readonly ended: Promise<SandboxError>

  private readonly helloResolvers = Promise.withResolvers<SupervisorHello>()
  private readonly endedResolvers = Promise.withResolvers<SandboxError>()
  private readonly channels = new Map<number, Channel>()
  private readonly pings = new Map<bigint, PromiseWithResolvers<void>>()
  private readonly decoder = new FrameDecoder()
  private readonly writer: FrameWriter
  private lastChannel = 0
  private lastPing = 0n
  private hasHello = false
  private endedBy: SandboxError | undefined
  private readonly input: Readable
  private readonly output: Writable

  /** @param input frames of the supervisor @param output takes frames for it; may be the same duplex stream */
  constructor(input: Readable, output: Writable) {
    this.input = input
    this.output = output
    this.hello = this.helloResolvers.promise
    this.ended = this.endedResolvers.promise
    this.hello.catch(() => undefined)
    this.writer = new FrameWriter(output)
    input.on('data', (chunk: Buffer) => this.onBytes(chunk))
    input.on('end', () => this.end(sessionLost('the stream of the supervisor ended')))
    input.on('close', () => this.end(sessionLost('the stream of the supervisor closed')))
    input.on('error', (error) => this.end(sessionLost('the stream of the supervisor broke', error)))
    output.on('error', (error) => this.end(sessionLost('the stream of the supervisor broke', error)))
  }

  /**
   * Asks for a command to be started; returns at once.
   *
   * @throws `SESSION_LOST` when the stream has ended, `COMMAND_TOO_LARGE` when no frame can carry it
   */
  spawn(spec: CommandSpec, sinks: CommandSinks): SupervisedCommand {
    const channel = this.takeChannel()
    const command = new SupervisedCommand(channel, spec, sinks, this.writer)
    this.channels.set(channel, command)
    return command
  }

  /**
   * Starts a command on a pseudo-terminal of its own; resolves when it runs.
   *
   * @param signal ends the start, not the terminal
   * @throws `ABORTED_BEFORE_SPAWN`, `TERMINAL_SIZE_INVALID`, `COMMAND_TOO_LARGE`, `SESSION_LOST`, and why it could not start
   */
  async openTerminal(spec: TerminalSpec, signal?: AbortSignal): Promise<SupervisedTerminal> {
    requireUnaborted(signal)
    const channel = this.takeChannel()
    const terminal = new SupervisedTerminal(channel, spec, this.writer)
    this.channels.set(channel, terminal)
    await terminal.started()
    if (signal?.aborted === true) await terminal.terminate(0)
    requireUnaborted(signal)
    return terminal
  }

  /**
   * The complete bytes of a spill file.
   *
   * @throws `SPILL_UNAVAILABLE` when the supervisor has none at this path, `SESSION_LOST`
   */
  async *readSpill(path: string): AsyncGenerator<Uint8Array, void, undefined> {
    const channel = this.takeChannel()
    const reader = new SpillReader(channel, path, this.writer)
    this.channels.set(channel, reader)
    try {
      yield* reader.read()
    } finally {
      this.channels.delete(channel)
    }
  }

  /** Resolves when the supervisor answers. */
  ping(): Promise<void> {
    if (this.endedBy !== undefined) return Promise.reject(this.endedBy)
    const token = ++this.lastPing
    const answer = Promise.withResolvers<void>()
    this.pings.set(token, answer)
    this.writer.send(encodePing(token))
    return answer.promise
  }

  /** Ends the stream, and with it every process of the supervisor. */
  close(): void {
    this.end(sessionLost('the session was closed'))
  }

  private takeChannel(): number {
    if (this.endedBy !== undefined) throw this.endedBy
    do this.lastChannel = this.lastChannel === maxChannel ? 1 : this.lastChannel + 1
    while (this.channels.has(this.lastChannel))
    return this.lastChannel
  }

  private onBytes(chunk: Buffer): void {
    if (this.endedBy !== undefined) return
    try {
      this.decoder.push(chunk, (frame) => this.onFrame(frame))
    } catch (error) {
      this.end(isSandboxError(error) ? error : protocolError('a frame could not be taken', error))
    }
  }

  private onFrame(frame: Frame): void {
    if (frame.type === frameType.hello) this.onHello(decodeHello(frame.payload))
    else if (!this.hasHello) throw protocolError('it does not begin with a hello')
    else if (frame.type === frameType.error) throw refusal(frame)
    else if (frame.type === frameType.pong) this.onPong(decodeToken(frame.payload))
    else if (this.channels.get(frame.channel)?.onFrame(frame) === true) this.channels.delete(frame.channel)
  }

  private onHello(hello: SupervisorHello): void {
    if (hello.protocol !== protocolVersion) throw protocolError(`it speaks version ${hello.protocol}`)
    this.hasHello = true
    this.helloResolvers.resolve(hello)
  }

  private onPong(token: bigint): void {
    this.pings.get(token)?.resolve()
    this.pings.delete(token)
  }

  private end(error: SandboxError): void {
    if (this.endedBy !== undefined) return
    this.endedBy = error
    this.helloResolvers.reject(error)
    for (const channel of this.channels.values()) channel.onLost(error)
    for (const ping of this.pings.values()) ping.reject(error)
    this.channels.clear()
    this.pings.clear()
    this.output.end()
    this.input.resume()
    this.endedResolvers.resolve(error)
  }
}

function requireUnaborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return
  throw new SandboxError('ABORTED_BEFORE_SPAWN', 'aborted before the terminal was opened', { cause: signal.reason })
}

function refusal(frame: Frame): SandboxError {
  const reason = protocolErrors[decodeU32(frame.payload)] ?? 'an unknown reason'
  return protocolError(`it refused a frame: ${reason}`)
}
