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
 * @throws {@link ProgressError} with the engine's words; what the stream throws when it breaks; the
 *   signal's reason
 */
export async function readProgress(
  stream: Readable,
  onLine: (line: ProgressLine) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const stop = (): unknown => stream.destroy(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted === true) stop()
  let rest = ''
  try {
    for await (const text of stream.setEncoding('utf8')) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) readLine(line, onLine)
    }
    readLine(rest, onLine)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

function readLine(text: string, onLine: (line: ProgressLine) => void): void {
  if (text.trim() === '') return
  const parsed = lineSchema.safeParse(JSON.parse(text))
  if (!parsed.success) return // Engines add lines of other shapes; none of them is an error.
  const { error, errorDetail } = parsed.data
  if (error !== undefined) throw new ProgressError(errorDetail?.message ?? error)
  onLine(parsed.data)
}
