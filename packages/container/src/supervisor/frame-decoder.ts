import { SandboxError } from 'dsh-bash-error'
import { frameType, headerBytes, maxDataBytes } from './protocol.ts'

/** One frame of the supervisor. The payload is a view of the bytes that were pushed. */
export interface Frame {
  readonly type: number
  readonly stream: number
  readonly channel: number
  readonly payload: Buffer
}

/** The frames that a supervisor sends. */
const fromSupervisor: ReadonlySet<number> = new Set([
  frameType.data,
  frameType.end,
  frameType.credit,
  frameType.hello,
  frameType.started,
  frameType.failed,
  frameType.skip,
  frameType.exited,
  frameType.gone,
  frameType.tree,
  frameType.reset,
  frameType.pong,
  frameType.error,
  frameType.spill,
  frameType.foregroundState,
])

/**
 * Cuts a stream of bytes into frames, however it was split. Iterative, and holds at most one frame.
 * A DATA frame that comes in pieces is handed over in pieces, each as a frame: its bytes are never
 * copied. Any other is put together first.
 */
export class FrameDecoder {
  private held: Buffer[] = []
  private heldBytes = 0
  private neededBytes = headerBytes
  private data: { frame: Frame; leftBytes: number } | undefined

  /**
   * Hands over every frame that `chunk` completes or continues, in order.
   *
   * @throws `ENGINE_PROTOCOL` for a frame that no supervisor sends; the decoder is unusable then
   */
  push(chunk: Buffer, onFrame: (frame: Frame) => void): void {
    let rest = this.withHeld(chunk)
    while (rest.length > 0) {
      const frame = this.data === undefined ? this.takeFrame(rest) : this.continueData(this.data, rest)
      if (frame === undefined) {
        this.held = [rest]
        this.heldBytes = rest.length
        return
      }
      rest = rest.subarray(frame.takenBytes)
      if (frame.payload.length > 0 || frame.type !== frameType.data) onFrame(frame)
    }
  }

  /** Whether the stream may end here: no frame has begun. */
  get isBetweenFrames(): boolean {
    return this.heldBytes === 0 && this.data === undefined
  }

  /** What is to be cut now; nothing while it is not yet enough for a frame to go on. */
  private withHeld(chunk: Buffer): Buffer {
    if (this.heldBytes === 0) return chunk
    this.held.push(chunk)
    this.heldBytes += chunk.length
    if (this.heldBytes < this.neededBytes) return Buffer.alloc(0)
    const bytes = Buffer.concat(this.held)
    this.held = []
    this.heldBytes = 0
    return bytes
  }

  private takeFrame(bytes: Buffer): (Frame & { takenBytes: number }) | undefined {
    this.neededBytes = headerBytes
    if (bytes.length < headerBytes) return undefined
    const { payloadBytes, ...header } = readHeader(bytes)
    this.neededBytes = headerBytes + payloadBytes
    if (bytes.length < this.neededBytes && header.type !== frameType.data) return undefined
    const payload = bytes.subarray(headerBytes, this.neededBytes)
    const frame = { ...header, payload, takenBytes: headerBytes + payload.length }
    if (payload.length < payloadBytes) this.data = { frame, leftBytes: payloadBytes - payload.length }
    return frame
  }

  private continueData(data: { frame: Frame; leftBytes: number }, bytes: Buffer): Frame & { takenBytes: number } {
    const payload = bytes.subarray(0, data.leftBytes)
    data.leftBytes -= payload.length
    if (data.leftBytes === 0) this.data = undefined
    return { ...data.frame, payload, takenBytes: payload.length }
  }
}

function readHeader(bytes: Buffer): { type: number; stream: number; channel: number; payloadBytes: number } {
  const payloadBytes = bytes.readUInt32LE(0)
  const type = bytes.readUInt8(4)
  if (payloadBytes > maxDataBytes || !fromSupervisor.has(type) || bytes.readUInt16LE(6) !== 0) {
    throw new SandboxError('ENGINE_PROTOCOL', 'the supervisor sent a malformed frame', {
      context: { type, lengthBytes: payloadBytes },
    })
  }
  return { type, stream: bytes.readUInt8(5), channel: bytes.readUInt32LE(8), payloadBytes }
}
