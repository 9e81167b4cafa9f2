import { SandboxError } from 'dsh-bash-error'

/** The error for a command line that cannot be meant. */
export function usageError(message: string, hint?: string): SandboxError {
  return new SandboxError('USAGE', message, hint === undefined ? {} : { hint })
}

/** The error for an option's value; `expected` completes "takes …". */
export function valueError(option: string, expected: string, value: string): SandboxError {
  return usageError(`--${option} takes ${expected}, not ${JSON.stringify(value)}`)
}
