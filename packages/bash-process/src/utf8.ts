/**
 * How many bytes at the end of `bytes` are the beginning of a UTF-8 character that is not complete
 * there: 0 to 3. Bytes that can never become valid count as complete.
 */
export function incompleteUtf8SuffixBytes(bytes: Uint8Array): number {
  const end = bytes.length
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = bytes[end - back] as number
    if (isContinuation(byte)) continue
    return back < sequenceLength(byte) ? back : 0
  }
  return 0
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** The length that a lead byte announces; 1 for a byte that leads nothing. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4
  if (lead >= 0xe0 && lead <= 0xef) return 3
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  return 1
}
