import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { CapturedSink } from 'dsh-bash-process'

/**
 * How many bytes may wait for a reader that is slower than the command. Beyond this the command is
 * slowed down, which an engine bears less well than a pipe: see the README's known limitations.
 */
const maxWaitingBytes = 16 * 1024 * 1024

/** Hands one stream of a command on to one of ours, as it comes, byte for byte. */
export class Outlet implements CapturedSink {
  /** Our own, since Node writes all that waits in one go: room would come all at once, and late. */
  private readonly queue: Writable
  private room: PromiseWithResolvers<void> | undefined
  private isUnlimited = false

  /** @param onFailure the first time that nothing can be written: what follows is dropped */
  constructor(target: Writable, onFailure: (error: NodeJS.ErrnoException) => void) {
    this.queue = new Writable({
      write: (chunk, _encoding, done) => {
        target.write(chunk, (error) => {
          done(error)
          this.offerRoom()
        })
      },
    })
    target.on('error', () => undefined) // the callback of the write has it
    this.queue.once('error', (error) => {
      this.offerRoom()
      onFailure(error)
    })
  }

  write(chunk: Uint8Array): void | Promise<void> {
    if (this.queue.errored !== null) return
    this.queue.write(chunk)
    if (this.hasRoom) return
    this.room ??= Promise.withResolvers()
    return this.room.promise
  }

  /** Never happens to output that is wanted whole: bytes that are missing are no output to hand on. */
  skip(byteCount: number): void {
    this.queue.destroy(new Error(`${byteCount} bytes of the command's output were left out`))
  }

  /** Where the output lies in the container is nothing to its reader here. */
  spilled(): void {}

  /** From now on nothing is asked to pause: little more can come. */
  lift(): void {
    this.isUnlimited = true
    this.offerRoom()
  }

  /** Resolves when everything is written, or nothing can be any more. */
  async flush(): Promise<void> {
    this.queue.end()
    await finished(this.queue).catch(() => undefined) // `onFailure` was told
  }

  private get hasRoom(): boolean {
    return this.isUnlimited || this.queue.writableLength < maxWaitingBytes || this.queue.errored !== null
  }

  private offerRoom(): void {
    if (!this.hasRoom) return
    this.room?.resolve()
    this.room = undefined
  }
}
