/** How a command ended; both null when that is not known. */
export interface ExitFacts {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** A text without its exit marker, and what the marker said. */
export interface SplitText {
  readonly body: string
  readonly exit: ExitFacts
}

/** The last line of a foreground result; empty for exit code 0. */
export function exitMarker({ exitCode, signal }: ExitFacts): string {
  if (signal !== null) return `[killed by signal: ${signal}]`
  return exitCode === null || exitCode === 0 ? '' : `[exit code: ${exitCode}]`
}

/** Takes off the marker that these facts put there, and nothing that only looks like one. */
export function splitKnownExit(text: string, exit: ExitFacts): SplitText {
  const marker = exitMarker(exit)
  const suffix = `\n${marker}`
  return { body: marker !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text, exit }
}

// A marker is the very end of the text and has a line before it, `(no output)` at the least. What
// a command prints usually ends with a newline, and then it cannot be taken for one. The exception,
// output without a last newline whose last line reads like a marker, is why facts are preferred.
const exitCodeAtEnd = /\n\[exit code: ([1-9]\d*)\]$/
const signalAtEnd = /\n\[killed by signal: (SIG[A-Z0-9]+)\]$/

/** The same from the text alone, for a result that was kept without its facts. */
export function splitExit(text: string): SplitText {
  const signal = signalAtEnd.exec(text)?.[1]
  if (signal !== undefined) return splitKnownExit(text, { exitCode: null, signal })
  return splitKnownExit(text, { exitCode: Number(exitCodeAtEnd.exec(text)?.[1] ?? 0), signal: null })
}
