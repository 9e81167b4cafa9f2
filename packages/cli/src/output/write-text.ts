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

/** Prints one JSON value on one line of standard output. */
export function writeJson(value: unknown): Promise<void> {
  return writeText(process.stdout, `${JSON.stringify(value)}\n`)
}
