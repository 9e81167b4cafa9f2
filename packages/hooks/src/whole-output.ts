import type { BashExecutor, CollectedOutput } from 'dsh-bash'
import { messageOf } from 'dsh-bash-error'

/** One stream of a hook: all of it, or why it cannot be had. */
export type WholeOutput =
  { readonly kind: 'whole'; readonly text: string } | { readonly kind: 'partial'; readonly why: string }

/**
 * A stream from its first byte to its last, whatever the executor keeps in memory. More than
 * `maxBytes` are not read: half a decision is none.
 */
export async function wholeOutput(
  bash: Pick<BashExecutor, 'readSpill'>,
  output: CollectedOutput,
  maxBytes: number,
): Promise<WholeOutput> {
  const tooLarge: WholeOutput = { kind: 'partial', why: `it is longer than ${maxBytes} bytes` }
  if (!output.truncated) {
    return Buffer.byteLength(output.text) > maxBytes ? tooLarge : { kind: 'whole', text: output.text }
  }
  if ((output.totalBytes ?? 0) > maxBytes) return tooLarge
  if (output.spillPath === undefined || bash.readSpill === undefined) {
    return { kind: 'partial', why: 'the executor kept no more than its tail' }
  }
  const chunks: Uint8Array[] = []
  let byteCount = 0
  try {
    for await (const chunk of bash.readSpill(output.spillPath)) {
      byteCount += chunk.length
      if (byteCount > maxBytes) return tooLarge
      chunks.push(chunk)
    }
  } catch (error) {
    return { kind: 'partial', why: `its spill file could not be read: ${messageOf(error)}` }
  }
  return { kind: 'whole', text: Buffer.concat(chunks).toString('utf8') }
}
