import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/**
 * What a program prints on stdout. Rejects with `code`, `stdout` and `stderr` when it fails.
 *
 * @param options `env` is added to this process's own
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const { stdout } = await execute(program, args, { ...options, env: { ...process.env, ...options.env } })
  return stdout
}
