import { styleText } from 'node:util'
import type { WriteStream } from 'node:tty'

const eraseLine = '\r\u001b[K'

/**
 * What is being done before a command runs, on standard error: one line that is kept up to date on
 * a terminal; elsewhere a plain line for what takes long, and nothing else.
 */
export class Progress {
  private readonly stream: WriteStream
  private readonly isQuiet: boolean
  private readonly isLive: boolean
  private hasLine = false
  private lastSlow: string | undefined

  constructor(stream: WriteStream, isQuiet: boolean, term = process.env['TERM']) {
    this.stream = stream
    this.isQuiet = isQuiet
    this.isLive = stream.isTTY && term !== 'dumb'
  }

  /** A step that is normally over at once. */
  quick(text: string): void {
    if (this.isLive) this.draw(text)
  }

  /** A step that takes long. `title` stays the same while `detail` changes. */
  slow(title: string, detail = ''): void {
    if (this.isLive) this.draw(detail === '' ? title : `${title}: ${detail}`)
    else if (title !== this.lastSlow) this.write(`bash-docker: ${title}\n`)
    this.lastSlow = title
  }

  /** Leaves the terminal as it was. */
  clear(): void {
    if (this.hasLine) this.write(eraseLine)
    this.hasLine = false
  }

  private draw(text: string): void {
    // A line that wraps could not be erased.
    const line = `bash-docker: ${text} …`.slice(0, Math.max(0, this.stream.columns - 1))
    this.write(eraseLine + styleText('dim', line, { stream: this.stream }))
    this.hasLine = true
  }

  private write(text: string): void {
    if (!this.isQuiet) this.stream.write(text)
  }
}
