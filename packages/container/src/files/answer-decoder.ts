import { filesProtocolError } from './file-error.ts'
import { answerKind, headerBytes, maxChunkBytes } from './files-protocol.ts'

/** One answer of the file server. */
export interface Answer {
  /** Of the request; 0 is the greeting. */
  readonly id: number
  readonly kind: number
  readonly payload: Buffer
}

/** Cuts a stream of bytes into answers, however it was split. Holds at most one. */
export class AnswerDecoder {
  private readonly header = Buffer.alloc(headerBytes)
  private headerFilled = 0
  private payload: Buffer | undefined
  private payloadFilled = 0

  /**
   * Hands over every answer that `chunk` completes, in order.
   *
   * @throws `ENGINE_PROTOCOL` for what no file server sends; the decoder is unusable then
   */
  push(chunk: Uint8Array, onAnswer: (answer: Answer) => void): void {
    for (let at = 0; at < chunk.length || this.isComplete;) {
      if (this.payload === undefined) at += this.takeHeader(chunk.subarray(at))
      else if (this.isComplete) onAnswer(this.takeAnswer(this.payload))
      else at += this.takePayload(this.payload, chunk.subarray(at))
    }
  }

  private get isComplete(): boolean {
    return this.payload !== undefined && this.payloadFilled === this.payload.length
  }

  private takeHeader(bytes: Uint8Array): number {
    const part = bytes.subarray(0, headerBytes - this.headerFilled)
    this.header.set(part, this.headerFilled)
    this.headerFilled += part.length
    if (this.headerFilled < headerBytes) return part.length
    const lengthBytes = this.header.readUInt32LE(0)
    const kind = this.header.readUInt32LE(8)
    if (lengthBytes > maxChunkBytes || kind > answerKind.entry) {
      throw filesProtocolError('a malformed answer', { kind, lengthBytes })
    }
    this.payload = Buffer.allocUnsafe(lengthBytes)
    this.payloadFilled = 0
    return part.length
  }

  private takePayload(payload: Buffer, bytes: Uint8Array): number {
    const part = bytes.subarray(0, payload.length - this.payloadFilled)
    payload.set(part, this.payloadFilled)
    this.payloadFilled += part.length
    return part.length
  }

  private takeAnswer(payload: Buffer): Answer {
    this.payload = undefined
    this.headerFilled = 0
    return { id: this.header.readUInt32LE(4), kind: this.header.readUInt32LE(8), payload }
  }
}
