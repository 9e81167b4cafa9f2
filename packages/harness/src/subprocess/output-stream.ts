import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'

/** Where one output stream of a process goes. Never throws. */
export interface OutputStream {
  /** A promise asks the process to wait. */
  write(chunk: Uint8Array): void | Promise<void>
  skip(byteCount: number): void
  spilled(path: string | undefined): void
}

/** Hands every byte to whoever reads `readable`; the process waits for a slow reader, as on a pipe. */
export class PipedStream implements OutputStream {
  readonly readable: Readable
  private room: PromiseWithResolvers<void> | undefined
  private hasEnded = false

  constructor() {
    this.readable = new Readable({
      read: () => this.giveRoom(),
      destroy: (error, done) => {
        this.giveRoom()
        done(error)
      },
    })
  }

  write(chunk: Uint8Array): void | Promise<void> {
    // Nobody reads any more: what the process still writes is thrown away.
    if (this.readable.destroyed || this.readable.push(chunk)) return undefined
    this.room ??= Promise.withResolvers<void>()
    return this.room.promise
  }

  skip(): void {}

  spilled(): void {}

  /** May be called more than once. */
  end(): void {
    if (!this.readable.destroyed && !this.hasEnded) this.readable.push(null)
    this.hasEnded = true
  }

  private giveRoom(): void {
    this.room?.resolve()
    this.room = undefined
  }
}

/** Passes a process's output on to a stream of the harness, which stays open. */
export class InheritedStream implements OutputStream {
  private readonly target: Writable

  constructor(target: Writable) {
    this.target = target
  }

  write(chunk: Uint8Array): void | Promise<void> {
    if (this.target.write(chunk)) return undefined
    return once(this.target, 'drain').then(nothing, nothing)
  }

  skip(): void {}

  spilled(): void {}
}

function nothing(): void {}
