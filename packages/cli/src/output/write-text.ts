import type { Writable } from 'node:stream'

/** Writes the whole of it before it resolves. A reader that has gone is no failure of ours. */
export function writeText(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', () => undefined) // the callback has it
    stream.write(text, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error)
      else resolve()
    })
  })
}

/** What JSON leaves as it is within a string, and some readers of lines take for the end of one. */
const furtherLineEnds = /[\u0085\u2028\u2029]/g

/** Prints one JSON value on one line of standard output, whatever a reader takes for a line. */
export function writeJson(value: unknown): Promise<void> {
  const escaped = (end: string): string => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`
  return writeText(process.stdout, `${JSON.stringify(value).replace(furtherLineEnds, escaped)}\n`)
}
