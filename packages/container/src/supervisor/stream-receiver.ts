import { encodeCredit } from './frame-encoder.ts'
import { protocolError, type StreamEnd } from './frame-payloads.ts'
import type { FrameWriter } from './frame-writer.ts'

/** Takes one output stream of a command, in order. Never blocks and never throws. */
export interface StreamSink {
  /**
   * The chunk is the sink's to keep. A promise asks for a pause: no new credit is given until it has
   * resolved, so that a lossless stream waits and another skips. It never rejects.
   */
  write(chunk: Uint8Array): void | Promise<void>
  /** So many bytes of the stream are left out here: they had left the supervisor's tail. */
  skip(byteCount: number): void
  /** Where the complete stream goes, in the container; undefined when it is not complete there after all. */
  spilled(path: string | undefined): void
}

/** Bytes on their way to us at most, for each stream; a lossless one must fill the way through an engine. */
export function receiveWindowBytes(isLossless: boolean): number {
  return isLossless ? 4 * 1024 * 1024 : 256 * 1024
}

/**
 * A stream that may skip is given new credit only this often: what a command floods us with stays in
 * the container, where its end is kept anyway, and costs neither the engine nor us.
 */
const refillIntervalMs = 20

/** Credit for one output stream: when it is given back, and that no more arrives than was given. */
export class StreamReceiver {
  end: StreamEnd | undefined
  private credit: number
  private readonly windowBytes: number
  private owed = 0
  private refill: NodeJS.Timeout | undefined
  private pauses = 0
  private isReleased = false
  private readonly channel: number
  private readonly stream: number
  private readonly isLossless: boolean
  private readonly sink: StreamSink
  private readonly writer: FrameWriter

  constructor(channel: number, stream: number, isLossless: boolean, sink: StreamSink, writer: FrameWriter) {
    this.channel = channel
    this.stream = stream
    this.isLossless = isLossless
    this.windowBytes = receiveWindowBytes(isLossless)
    this.credit = this.windowBytes
    this.sink = sink
    this.writer = writer
  }

  onData(chunk: Uint8Array): void {
    if (chunk.length > this.credit) throw protocolError('more output than the credit given')
    this.credit -= chunk.length
    this.owed += chunk.length
    if (this.isReleased) return
    const pause = this.sink.write(chunk)
    if (pause === undefined) {
      this.refillIfDue()
      return
    }
    this.pauses++
    void pause.then(() => {
      this.pauses--
      this.refillIfDue()
    })
  }

  onSkip(byteCount: number): void {
    if (!this.isReleased) this.sink.skip(byteCount)
  }

  onSpill(path: string): void {
    if (!this.isReleased) this.sink.spilled(path)
  }

  onEnd(end: StreamEnd): void {
    this.end = end
    if (!this.isReleased) this.sink.spilled(end.spillPath)
    clearTimeout(this.refill)
  }

  /** The command has ended: the tail is wanted at once, all of it. */
  requestTail(tailBytes: number): void {
    if (this.end !== undefined || this.isReleased) return
    const wanted = Math.max(tailBytes, this.windowBytes)
    if (wanted > this.credit) this.give(wanted - this.credit)
  }

  /** No more of it is wanted. */
  release(): void {
    this.isReleased = true
    clearTimeout(this.refill)
  }

  private refillIfDue(): void {
    if (this.pauses > 0 || this.isReleased || this.end !== undefined || this.owed < this.windowBytes / 2) return
    if (this.isLossless) this.give(this.owed)
    else this.refill ??= setTimeout(() => this.give(this.owed), refillIntervalMs)
  }

  private give(byteCount: number): void {
    clearTimeout(this.refill)
    this.refill = undefined
    this.owed = 0
    this.credit += byteCount
    this.writer.send(encodeCredit(this.channel, this.stream, byteCount))
  }
}
