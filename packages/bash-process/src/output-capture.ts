import { isUtf8 } from 'node:buffer'
import type { CollectedOutput } from 'dsh-bash'
import type { CapturedSink, CaptureLimits, SpillFile } from './port.ts'
import { TailBuffer } from './tail-buffer.ts'
import { incompleteUtf8SuffixBytes } from './utf8.ts'

/** One incremental read of a stream. */
export interface CaptureRead {
  text: string
  nextOffset: number
  lossy: boolean
  spillPath?: string
}

/**
 * Captures one stream of one command: the tail in memory, and, once the stream is longer than the
 * cap, all of it in a spill file, which a host may keep by itself. Bytes are decoded when they are
 * read, never per chunk.
 */
export class OutputCapture implements CapturedSink {
  private readonly tail: TailBuffer
  private readonly limits: CaptureLimits
  private openSpill: (() => SpillFile) | undefined
  private spill: SpillFile | undefined
  private worldSpillPath: string | undefined
  private spillWithheld = false
  private finished = false

  constructor(limits: CaptureLimits) {
    this.limits = limits
    this.tail = new TailBuffer(limits.maxOutputBytes)
  }

  /** Where to spill; without it the host spills by itself and says where. Before the first byte. */
  spillTo(openSpill: () => SpillFile): void {
    this.openSpill = openSpill
  }

  write(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    if (!this.spillWithheld && this.tail.totalBytes + chunk.length > this.limits.maxOutputBytes) this.writeSpill(chunk)
    this.tail.write(chunk)
  }

  skip(byteCount: number): void {
    this.tail.skip(byteCount)
  }

  spilled(path: string | undefined): void {
    this.worldSpillPath = path
  }

  /** No more bytes will come. */
  finish(): void {
    if (this.finished) return
    this.finished = true
    this.guardSpill(() => this.spill?.close())
  }

  /** Whether text that follows would begin a line. */
  get endsLine(): boolean {
    const lastByte = this.tail.readFrom(this.tail.totalBytes - 1).bytes[0]
    return lastByte === undefined || lastByte === 0x0a
  }

  /** The stream as a result reports it. */
  collect(): CollectedOutput {
    const { bytes, lossy: truncated } = this.tail.readFrom(0)
    return {
      text: bytes.toString('utf8'),
      truncated,
      ...this.spillFact(truncated),
      ...(isUtf8(bytes) ? {} : { bytes: Uint8Array.from(bytes) }),
      ...(truncated ? { totalBytes: this.tail.totalBytes } : {}),
    }
  }

  /** What came since `offset`; a character that is not complete yet is left for the next read. */
  readFrom(offset: number): CaptureRead {
    const read = this.tail.readFrom(offset)
    const heldBackBytes = this.finished ? 0 : incompleteUtf8SuffixBytes(read.bytes)
    return {
      text: read.bytes.toString('utf8', 0, read.bytes.length - heldBackBytes),
      nextOffset: read.nextOffset - heldBackBytes,
      lossy: read.lossy,
      ...this.spillFact(read.lossy),
    }
  }

  private spillFact(dropped: boolean): { spillPath?: string } {
    const path = this.spill?.path ?? this.worldSpillPath
    return dropped && path !== undefined ? { spillPath: path } : {}
  }

  private writeSpill(chunk: Uint8Array): void {
    const { openSpill } = this
    if (openSpill === undefined) return
    this.guardSpill(() => {
      if (this.tail.totalBytes + chunk.length > this.limits.maxSpillBytes) throw new Error('the spill cap is reached')
      if (this.spill === undefined) {
        this.spill = openSpill()
        // Nothing has been dropped yet: the tail still is the whole stream.
        this.spill.write(this.tail.readFrom(0).bytes)
      }
      this.spill.write(chunk)
    })
  }

  /** An incomplete spill is removed and its path withheld; the command's result does not suffer. */
  private guardSpill(step: () => void): void {
    try {
      step()
    } catch {
      const incomplete = this.spill
      this.spill = undefined
      this.spillWithheld = true
      try {
        incomplete?.discard()
      } catch {
        // It could not be removed either; disposal of the world takes it along.
      }
    }
  }
}
