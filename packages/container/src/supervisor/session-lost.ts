import { SandboxError } from 'dsh-bash-error'

/** The error of whatever ran when its supervisor's stream ended. */
export function sessionLost(message: string, cause?: unknown): SandboxError {
  return new SandboxError('SESSION_LOST', message, { cause })
}
