import { type ErrorCode, SandboxError } from 'dsh-bash-error'
import type { HookHandler, HookSource } from './handler.ts'

/** Told of everything that kept a hook from doing its work. */
export type ReportProblem = (problem: SandboxError) => void

/** A problem of a file: what is wrong with it, and where in it. */
export function fileProblem(
  code: Extract<ErrorCode, 'HOOK_CONFIG_INVALID' | 'HOOK_UNSUPPORTED'>,
  source: Pick<HookSource, 'path'>,
  field: string,
  message: string,
  cause?: unknown,
): SandboxError {
  const place = field === '' ? source.path : `${source.path}: ${field}`
  return new SandboxError(code, `${place}: ${message}`, { context: { path: source.path, field }, cause })
}

/** A problem of one run of a hook. The payload and the environment stay out of it: they may hold secrets. */
export function runProblem(
  code: Extract<
    ErrorCode,
    'HOOK_NOT_RUN' | 'HOOK_FAILED' | 'HOOK_TIMED_OUT' | 'HOOK_OUTPUT_TOO_LARGE' | 'HOOK_OUTPUT_INVALID'
  >,
  handler: HookHandler,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): SandboxError {
  const { event, command, source } = handler
  return new SandboxError(code, `${event} hook of ${source.path}: ${message}`, {
    context: { path: source.path, event, command, ...facts },
    cause,
  })
}
