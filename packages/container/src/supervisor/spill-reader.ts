import { SandboxError } from 'dsh-bash-error'
import type { Channel } from './channel.ts'
import type { Frame } from './frame-decoder.ts'
import { encodeCredit, encodeRead, encodeRelease } from './frame-encoder.ts'
import { decodeFailed, protocolError } from './frame-payloads.ts'
import type { FrameWriter } from './frame-writer.ts'
import { errnoName } from './linux-names.ts'
import { frameType, streamId } from './protocol.ts'

const windowBytes = 4 * 1024 * 1024

/**
 * The bytes of one spill file, as fast as they are taken. What was read and not yet taken is at most
 * a window; a reader that stops early tells the supervisor.
 */
export class SpillReader implements Channel {
  private chunks: Uint8Array[] = []
  private isEnded = false
  private error: SandboxError | undefined
  private arrival = Promise.withResolvers<void>()
  private readonly channel: number
  private readonly path: string
  private readonly writer: FrameWriter

  constructor(channel: number, path: string, writer: FrameWriter) {
    this.channel = channel
    this.path = path
    this.writer = writer
    writer.send(encodeRead(channel, path, windowBytes))
  }

  onFrame(frame: Frame): boolean {
    if (frame.type === frameType.data) this.chunks.push(frame.payload)
    else if (frame.type === frameType.end) this.isEnded = true
    else if (frame.type === frameType.failed) this.fail(decodeFailed(frame.payload).errno)
    else throw protocolError(`a frame of type ${frame.type} on the channel of a spill file`)
    this.arrival.resolve()
    return this.isEnded
  }

  onLost(error: SandboxError): void {
    this.error = error
    this.isEnded = true
    this.arrival.resolve()
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunks = this.chunks
        this.chunks = []
        for (const chunk of chunks) {
          yield chunk
          if (!this.isEnded) this.writer.send(encodeCredit(this.channel, streamId.stdout, chunk.length))
        }
        if (this.chunks.length > 0) continue
        if (this.error !== undefined) throw this.error
        if (this.isEnded) return
        await this.arrival.promise
        this.arrival = Promise.withResolvers<void>()
      }
    } finally {
      if (!this.isEnded) this.writer.send(encodeRelease(this.channel))
    }
  }

  private fail(errno: number): void {
    this.error = new SandboxError('SPILL_UNAVAILABLE', `no spill file can be read at ${this.path}`, {
      context: { path: this.path, errno: errnoName(errno) },
    })
    this.isEnded = true
  }
}
