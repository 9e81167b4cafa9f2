import type { Writable } from 'node:stream'

/** Joining costs a copy: past this, frames are handed to the stream one by one, in one corked write. */
const joinedBytes = 64 * 1024

/**
 * Sends what one turn of the event loop produces in one write: a start with its stdin and the credit
 * for others are then a single system call, and wake the supervisor once.
 */
export class FrameWriter {
  private queue: Uint8Array[] = []
  private queuedBytes = 0
  private isScheduled = false
  private readonly output: Writable

  constructor(output: Writable) {
    this.output = output
  }

  send(frame: Uint8Array): void {
    this.queue.push(frame)
    this.queuedBytes += frame.length
    if (this.isScheduled) return
    this.isScheduled = true
    queueMicrotask(() => this.flush())
  }

  private flush(): void {
    const frames = this.queue
    const isSmall = this.queuedBytes <= joinedBytes
    this.queue = []
    this.queuedBytes = 0
    this.isScheduled = false
    if (!this.output.writable) return
    if (isSmall) {
      this.output.write(frames.length === 1 ? frames[0] : Buffer.concat(frames))
      return
    }
    this.output.cork()
    for (const frame of frames) this.output.write(frame)
    this.output.uncork()
  }
}
