import { SandboxError } from 'dsh-bash-error'

/**
 * The folder of whoever started this program.
 *
 * @throws `WORKSPACE_NOT_FOUND` when it has been removed under its user
 */
export function currentDirectory(): string {
  try {
    return process.cwd()
  } catch (error) {
    throw new SandboxError('WORKSPACE_NOT_FOUND', 'the current folder does not exist any more', { cause: error })
  }
}
