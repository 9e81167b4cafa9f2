/** A part of a spill file. */
export interface SpillPart {
  readonly bytes: Uint8Array
  /** Whether the file goes on behind it. */
  readonly hasMore: boolean
}

/** Takes `length` bytes at `offset` out of a stream, and reads no more of it than it has to. */
export async function readSpillPart(
  stream: AsyncIterable<Uint8Array>,
  offset: number,
  length: number,
): Promise<SpillPart> {
  const parts: Uint8Array[] = []
  const end = offset + length
  let position = 0
  for await (const chunk of stream) {
    const from = Math.max(0, offset - position)
    const to = end - position
    if (from < chunk.byteLength && to > from) parts.push(chunk.subarray(from, to))
    position += chunk.byteLength
    if (position > end) break
  }
  return { bytes: Buffer.concat(parts), hasMore: position > end }
}
