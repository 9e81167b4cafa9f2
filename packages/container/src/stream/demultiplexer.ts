import { SandboxError } from 'dsh-bash-error'

/** Takes the payload of each stream, in the order of arrival; never keeps a chunk unless it copies it. */
export interface StreamSinks {
  readonly stdout: (chunk: Uint8Array) => void
  readonly stderr: (chunk: Uint8Array) => void
}

const headerBytes = 8

/** First byte of a frame's header, by the Docker Engine's API (attach to a container, "Stream format"). */
const frameTypes = { stdin: 0, stdout: 1, stderr: 2, systemError: 3 } as const

/** How much of the engine's own error is read; the rest of such a frame says nothing more. */
const maxSystemErrorBytes = 4096

/**
 * Takes the Engine's multiplexed stream apart: frames of an 8-byte header (type, three zero bytes,
 * big-endian length) and a payload. Payloads are passed on as they arrive, so that memory does not
 * grow with the size of a frame, and any number of frames in one chunk is a loop.
 */
export class Demultiplexer {
  private readonly sinks: StreamSinks
  private readonly header = Buffer.alloc(headerBytes)
  private headerFilledBytes = 0
  private payloadLeftBytes = 0
  private systemError = ''

  constructor(sinks: StreamSinks) {
    this.sinks = sinks
  }

  /** @throws `ENGINE_PROTOCOL` for what is no frame, and for a frame in which the engine reports an error */
  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      at += this.payloadLeftBytes > 0 ? this.takePayload(chunk, at) : this.takeHeader(chunk, at)
    }
  }

  /**
   * The stream has ended.
   *
   * @throws `ENGINE_PROTOCOL` when that was within a frame
   */
  end(): void {
    if (this.headerFilledBytes === 0) return
    throw protocolError('the stream ended within a frame', { payloadLeftBytes: this.payloadLeftBytes })
  }

  private takeHeader(chunk: Uint8Array, at: number): number {
    const count = Math.min(headerBytes - this.headerFilledBytes, chunk.length - at)
    this.header.set(chunk.subarray(at, at + count), this.headerFilledBytes)
    this.headerFilledBytes += count
    if (this.headerFilledBytes === headerBytes) this.beginFrame()
    return count
  }

  private beginFrame(): void {
    const [type = 0, ...zeros] = this.header.subarray(0, 4)
    if (type > frameTypes.systemError || zeros.some((byte) => byte !== 0)) {
      throw protocolError('not a frame header', { header: this.header.toString('hex') })
    }
    this.payloadLeftBytes = this.header.readUInt32BE(4)
    if (this.payloadLeftBytes === 0) this.endFrame()
  }

  private takePayload(chunk: Uint8Array, at: number): number {
    const payload = chunk.subarray(at, at + this.payloadLeftBytes)
    this.payloadLeftBytes -= payload.length
    this.deliver(payload)
    if (this.payloadLeftBytes === 0) this.endFrame()
    return payload.length
  }

  private deliver(payload: Uint8Array): void {
    const type = this.header[0]
    if (type === frameTypes.stdout) this.sinks.stdout(payload)
    else if (type === frameTypes.stderr) this.sinks.stderr(payload)
    else if (type === frameTypes.systemError && this.systemError.length < maxSystemErrorBytes) {
      this.systemError += Buffer.from(payload).toString('utf8', 0, maxSystemErrorBytes)
    }
  }

  private endFrame(): void {
    this.headerFilledBytes = 0
    if (this.header[0] !== frameTypes.systemError) return
    throw protocolError(`the engine reports: ${this.systemError}`, { engineMessage: this.systemError })
  }
}

function protocolError(problem: string, context: Record<string, unknown>): SandboxError {
  return new SandboxError('ENGINE_PROTOCOL', `the engine's stream: ${problem}`, { context })
}
