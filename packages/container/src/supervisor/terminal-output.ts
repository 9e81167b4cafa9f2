import { Readable } from 'node:stream'
import type { StreamSink } from './stream-receiver.ts'

/**
 * The output of a terminal as a stream. What is not read fills the stream's buffer and the credit, and
 * then the terminal, whose writers wait; no byte is dropped. A reader that destroys it wants no more.
 */
export class TerminalOutput implements StreamSink {
  readonly readable: Readable
  private room: PromiseWithResolvers<void> | undefined

  /** @param onAbandoned the stream was destroyed before its end */
  constructor(onAbandoned: () => void) {
    this.readable = new Readable({
      read: () => this.giveRoom(),
      destroy: (error, callback) => {
        this.giveRoom()
        if (!this.readable.readableEnded) onAbandoned()
        callback(error)
      },
    })
    // The loss of a session is told by every promise too: who does not read is not ended by it.
    this.readable.on('error', () => undefined)
  }

  write(chunk: Uint8Array): void | Promise<void> {
    if (this.readable.destroyed || this.readable.push(chunk)) return
    this.room ??= Promise.withResolvers<void>()
    return this.room.promise
  }

  /** Never: a lossless stream skips nothing and spills nothing. */
  skip(): void {}
  spilled(): void {}

  end(): void {
    if (!this.readable.destroyed) this.readable.push(null)
  }

  fail(error: Error): void {
    this.readable.destroy(error)
  }

  private giveRoom(): void {
    this.room?.resolve()
    this.room = undefined
  }
}
