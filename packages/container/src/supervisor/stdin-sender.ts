import { encodeStdinEnd, encodeStdinHeader } from './frame-encoder.ts'
import type { FrameWriter } from './frame-writer.ts'
import { maxDataBytes, stdinWindowBytes } from './protocol.ts'

/** A command's stdin: sends as its credit allows and keeps the rest. */
export class StdinSender {
  private credit = stdinWindowBytes
  private waiting: Uint8Array[] = []
  private isEnding = false
  private isClosed = false
  private drained = Promise.withResolvers<void>()
  private readonly channel: number
  private readonly writer: FrameWriter

  constructor(channel: number, writer: FrameWriter) {
    this.channel = channel
    this.writer = writer
  }

  /**
   * Resolves when there is room for more, or when nobody reads it any more. Bytes that nobody reads
   * are dropped, as they are in a pipe whose reader has ended.
   */
  write(chunk: Uint8Array): Promise<void> {
    if (this.isClosed || chunk.length === 0) return Promise.resolve()
    if (this.isEnding) throw new TypeError('stdin was ended before')
    this.waiting.push(chunk)
    this.pump()
    return this.waiting.length === 0 || this.isClosed ? Promise.resolve() : this.drained.promise
  }

  /** End of file follows what was written. */
  end(): void {
    if (this.isEnding) return
    this.isEnding = true
    this.pump()
  }

  onCredit(byteCount: number): void {
    this.credit += byteCount
    this.pump()
  }

  /** Nobody reads it any more. */
  close(): void {
    this.isClosed = true
    this.waiting = []
    this.drained.resolve()
  }

  private pump(): void {
    while (!this.isClosed && this.credit > 0) {
      const chunk = this.waiting[0]
      if (chunk === undefined) break
      const part = chunk.subarray(0, Math.min(chunk.length, this.credit, maxDataBytes))
      if (part.length === chunk.length) this.waiting.shift()
      else this.waiting[0] = chunk.subarray(part.length)
      this.credit -= part.length
      this.writer.send(encodeStdinHeader(this.channel, part.length))
      this.writer.send(part)
    }
    if (this.waiting.length > 0 || this.isClosed) return
    this.drained.resolve()
    this.drained = Promise.withResolvers<void>()
    if (!this.isEnding) return
    this.writer.send(encodeStdinEnd(this.channel))
    this.close()
  }
}
