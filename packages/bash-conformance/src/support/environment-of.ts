import type { BashExecutor } from 'dsh-bash'
import { run } from './commands.ts'

/**
 * The environment with which a command's bash was started, from the kernel: bash neither adds to
 * it nor drops a name that it cannot use. Not the last command: bash would become it.
 */
export async function environmentOf(bash: BashExecutor, env?: Record<string, string>): Promise<Map<string, string>> {
  const { stdout } = await run(bash, { command: 'cat /proc/$$/environ; true', env })
  const entries = stdout.text.split('\0').filter((entry) => entry !== '')
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]))
}
