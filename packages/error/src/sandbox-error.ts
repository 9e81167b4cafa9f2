import { type ErrorCode, errorCodes } from './codes.ts'

/** Facts about one failure: plain JSON values, named by what they are. Units stand in the names. */
export type ErrorContext = Readonly<Record<string, unknown>>

export interface SandboxErrorOptions {
  /** Facts about this failure. */
  context?: ErrorContext
  /** What the reader can do about it; defaults to the hint of the code. */
  hint?: string
  /** The failure underneath, when there is one. */
  cause?: unknown
}

/**
 * The one error of this project: a command could not be run, or a configuration cannot be used.
 * A command that ran and failed is never an error, it is a result.
 *
 * Match by `code`, never by message. Each code has a heading in `docs/errors.md`.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** Stable, upper-case code. */
  readonly code: ErrorCode
  /** Facts about this failure. */
  readonly context: ErrorContext
  /** What to do about it, in one sentence. */
  readonly hint: string
  /** Whether the same request can succeed later without a change to it. */
  readonly retryable: boolean

  constructor(code: ErrorCode, message: string, options: SandboxErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    const definition = errorCodes[code]
    this.code = code
    this.context = options.context ?? {}
    this.hint = options.hint ?? definition.hint
    this.retryable = definition.retryable
  }

  /** The shape that `--json` and logs print. */
  toJSON(): Record<string, unknown> {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      hint: this.hint,
      retryable: this.retryable,
      context: this.context,
    }
  }
}

/** True for a {@link SandboxError}, of this or of another installed copy of the package. */
export function isSandboxError(value: unknown): value is SandboxError {
  return value instanceof Error && value.name === 'SandboxError' && 'code' in value && 'retryable' in value
}

/** The message of anything thrown, for use inside another message. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
