import { isSandboxError, messageOf } from 'dsh-bash-error'

/** What `--json` prints of a command that could not be run. */
export interface ErrorReport {
  error: Record<string, unknown>
}

export function errorReport(error: unknown): ErrorReport {
  return { error: isSandboxError(error) ? error.toJSON() : { name: 'Error', message: messageOf(error) } }
}

/** One line for people: the message, the code and what to do. */
export function errorLine(error: unknown): string {
  if (!isSandboxError(error)) return `bash-docker: ${oneLine(messageOf(error))}`
  return `bash-docker: ${oneLine(error.message)} (${error.code}). ${oneLine(error.hint)}`
}

function oneLine(text: string): string {
  return text.trim().replace(/:?\s*\n\s*/g, (gap) => (gap.startsWith(':') ? ': ' : '; '))
}

/** Says on standard error what went wrong beside the point. */
export function warn(error: unknown): void {
  process.stderr.write(`${errorLine(error)}\n`)
}
