import { isSandboxError, SandboxError } from 'dsh-bash-error'

/** The error of a process that could not be started, named after its program where that is what is missing. */
export function spawnError(error: unknown): unknown {
  if (!isSandboxError(error) || error.code !== 'SHELL_NOT_FOUND') return error
  const program = String(error.context['subject'])
  return new SandboxError('PROGRAM_NOT_FOUND', `spawn ${program} ENOENT: there is no such program in the container`, {
    context: error.context,
    cause: error,
  })
}
