import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { z } from 'zod'

const lineSchema = z.object({
  /** Of a pull: which layer. */
  id: z.string().optional(),
  status: z.string().optional(),
  progress: z.string().optional(),
  /** Of a build: what it printed. */
  stream: z.string().optional(),
  error: z.string().optional(),
  errorDetail: z.object({ message: z.string() }).optional(),
})

/** One line of an engine's progress on an image. */
export type ProgressLine = z.infer<typeof lineSchema>

/** The engine gave up within the stream; HTTP said 200 long before. */
export class ProgressError extends Error {}

/**
 * Reads an engine's progress to its end.
 *
 * @throws {@link ProgressError} with the engine's words; what the stream throws when it breaks
 */
export async function readProgress(stream: Readable, onLine: (line: ProgressLine) => void): Promise<void> {
  for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
    if (text.trim() === '') continue
    const parsed = lineSchema.safeParse(JSON.parse(text))
    if (!parsed.success) continue // Engines add lines of other shapes; none of them is an error.
    const { error, errorDetail } = parsed.data
    if (error !== undefined) throw new ProgressError(errorDetail?.message ?? error)
    onLine(parsed.data)
  }
}
