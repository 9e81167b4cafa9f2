import { styleText } from 'node:util'
import type { WriteStream } from 'node:tty'

const eraseLine = '\r\u001b[K'
/** Of a terminal that does not say. */
const defaultColumns = 80

/**
 * What is being done before a command runs, on standard error: one line that is kept up to date on
 * a terminal; elsewhere a plain line for what takes long, and nothing else.
 */
export class Progress {
  private readonly stream: WriteStream
  private readonly isQuiet: boolean
  private readonly isLive: boolean
  private hasLine = false
  private readonly reportCounts = new Map<string, number>()

  constructor(stream: WriteStream, isQuiet: boolean, term = process.env['TERM']) {
    this.stream = stream
    this.isQuiet = isQuiet
    this.isLive = stream.isTTY && term !== 'dumb'
  }

  /** A step that is normally over at once. */
  quick(text: string): void {
    if (this.isLive) this.draw(text)
  }

  /** A report on a step that takes long. `title` stays the same while `detail` changes. */
  slow(title: string, detail = ''): void {
    if (this.isLive) return this.draw(detail === '' ? title : `${title}: ${detail}`)
    // The second report says that it is under way; a step that fails before has its error to show.
    const reportCount = (this.reportCounts.get(title) ?? 0) + 1
    this.reportCounts.set(title, reportCount)
    if (reportCount === 2) this.write(`bash-docker: ${title}\n`)
  }

  /** Leaves the terminal as it was. */
  clear(): void {
    if (this.hasLine) this.write(eraseLine)
    this.hasLine = false
  }

  private draw(text: string): void {
    // A line that wraps could not be erased.
    const line = `bash-docker: ${text} …`.slice(0, Math.max(0, (this.stream.columns || defaultColumns) - 1))
    this.write(eraseLine + styleText('dim', line, { stream: this.stream }))
    this.hasLine = true
  }

  private write(text: string): void {
    if (!this.isQuiet) this.stream.write(text)
  }
}
