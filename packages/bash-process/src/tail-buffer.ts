/** Bytes read from a {@link TailBuffer}. */
export interface TailRead {
  /** A view that the next write may overwrite: copy it or decode it at once. */
  bytes: Buffer
  /** Where a next read goes on: offset in the whole stream, in bytes. */
  nextOffset: number
  /** Bytes between the asked offset and the first retained one were dropped. */
  lossy: boolean
}

const initialCapacityBytes = 4096

/**
 * Keeps the last `maxBytes` of a stream, to the byte, in a ring that grows to that size only when
 * it is needed. Offsets count from the start of the whole stream.
 */
export class TailBuffer {
  private ring = Buffer.alloc(0)
  /** Index in the ring of the byte at {@link startOffset}. */
  private head = 0
  private lengthBytes = 0
  /** How many bytes were ever written. */
  totalBytes = 0

  private readonly maxBytes: number

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Offset of the first retained byte. */
  get startOffset(): number {
    return this.totalBytes - this.lengthBytes
  }

  write(chunk: Uint8Array): void {
    this.totalBytes += chunk.length
    const kept = chunk.length > this.maxBytes ? chunk.subarray(chunk.length - this.maxBytes) : chunk
    this.reserve(Math.min(this.lengthBytes + kept.length, this.maxBytes))
    const capacity = this.ring.length
    if (capacity === 0) return
    const dropped = Math.max(0, this.lengthBytes + kept.length - this.maxBytes)
    this.head = (this.head + dropped) % capacity
    this.lengthBytes -= dropped
    const at = (this.head + this.lengthBytes) % capacity
    const untilEnd = Math.min(kept.length, capacity - at)
    this.ring.set(kept.subarray(0, untilEnd), at)
    this.ring.set(kept.subarray(untilEnd), 0)
    this.lengthBytes += kept.length
  }

  /** So many bytes of the stream passed by elsewhere: what was retained before them is no tail any more. */
  skip(byteCount: number): void {
    if (byteCount === 0) return
    this.totalBytes += byteCount
    this.head = 0
    this.lengthBytes = 0
  }

  /** Everything retained from `offset` on. */
  readFrom(offset: number): TailRead {
    const start = Math.max(offset, this.startOffset)
    const lengthBytes = this.totalBytes - start
    const capacity = this.ring.length
    const from = capacity === 0 ? 0 : (this.head + (start - this.startOffset)) % capacity
    const bytes =
      from + lengthBytes <= capacity
        ? this.ring.subarray(from, from + lengthBytes)
        : Buffer.concat([this.ring.subarray(from), this.ring.subarray(0, from + lengthBytes - capacity)])
    return { bytes, nextOffset: this.totalBytes, lossy: offset < this.startOffset }
  }

  private reserve(neededBytes: number): void {
    if (neededBytes <= this.ring.length) return
    const capacity = Math.min(this.maxBytes, Math.max(neededBytes, this.ring.length * 2, initialCapacityBytes))
    const grown = Buffer.allocUnsafe(capacity)
    const kept = this.readFrom(this.startOffset).bytes
    grown.set(kept, 0)
    this.ring = grown
    this.head = 0
  }
}
