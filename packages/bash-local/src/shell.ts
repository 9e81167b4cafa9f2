import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { SandboxError } from 'dsh-bash-error'

/**
 * Where bash is, by the process's own PATH: a command's `env` may hold any PATH, and decides what
 * bash finds, not which bash runs.
 *
 * @throws `SHELL_NOT_FOUND`
 */
export function findBash(pathList: string | undefined): string {
  const directories = [...(pathList ?? '').split(delimiter), '/bin', '/usr/bin', '/usr/local/bin']
  for (const directory of directories) {
    if (directory === '') continue
    const candidate = join(directory, 'bash')
    try {
      accessSync(candidate, constants.X_OK)
      return candidate
    } catch {
      // not here
    }
  }
  throw new SandboxError('SHELL_NOT_FOUND', 'no bash in PATH', { context: { pathList } })
}
