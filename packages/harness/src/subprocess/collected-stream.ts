import type { SubprocessOutputRead, SubprocessOutputReader } from '@deepseek-ai/dsh-subprocess'
import { incompleteUtf8SuffixBytes, TailBuffer } from 'dsh-bash-process'
import type { OutputStream } from './output-stream.ts'

/**
 * The tail of one output stream, read by offset and never consumed. The complete stream, where it is
 * longer and was wanted, lies in a spill file of the container.
 */
export class CollectedStream implements OutputStream, SubprocessOutputReader {
  private readonly tail: TailBuffer
  private spillPath: string | undefined
  private hasEnded = false

  /** @param maxBytes bytes that are kept in memory */
  constructor(maxBytes: number) {
    this.tail = new TailBuffer(maxBytes)
  }

  write(chunk: Uint8Array): void {
    this.tail.write(chunk)
  }

  skip(byteCount: number): void {
    this.tail.skip(byteCount)
  }

  spilled(path: string | undefined): void {
    this.spillPath = path
  }

  end(): void {
    this.hasEnded = true
  }

  /** A character that is not complete yet is left for the next read. */
  readFrom(fromByte: number): SubprocessOutputRead {
    const { bytes, nextOffset, lossy } = this.tail.readFrom(fromByte)
    const heldBackBytes = this.hasEnded ? 0 : incompleteUtf8SuffixBytes(bytes)
    return {
      text: bytes.toString('utf8', 0, bytes.length - heldBackBytes),
      nextOffset: nextOffset - heldBackBytes,
      lossy,
      ...(this.spillPath === undefined ? {} : { spillPath: this.spillPath }),
    }
  }
}
