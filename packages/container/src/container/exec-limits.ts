import { SandboxError } from 'dsh-bash-error'

/** Linux: `MAX_ARG_STRLEN` is 32 pages, and the terminating NUL counts. */
const maxStringBytes = 131_071
/** The engine merges variables one by one: 5,000 take a fifth of a second, 20,000 take seconds. */
const maxVariables = 4_096
/** The engine's message to its runtime holds 4 MiB, everything in it included. */
const maxEnvBytes = 1_048_576

/**
 * Refuses what a Docker exec cannot carry. Some of it would otherwise fail as an exit code of the
 * command, which then never ran.
 *
 * @throws `COMMAND_TOO_LARGE`, `ENV_TOO_LARGE`
 */
export function assertExecFits(argv: readonly string[], env: Readonly<Record<string, string>>): void {
  for (const argument of argv) {
    const argumentBytes = Buffer.byteLength(argument)
    if (argumentBytes <= maxStringBytes) continue
    throw new SandboxError('COMMAND_TOO_LARGE', `an argument of ${argumentBytes} bytes is too long`, {
      context: { argumentBytes, maxArgumentBytes: maxStringBytes },
    })
  }
  const sizes = Object.entries(env).map(([name, value]) => ({
    name,
    bytes: Buffer.byteLength(name) + 1 + Buffer.byteLength(value),
  }))
  const tooLong = sizes.filter(({ bytes }) => bytes > maxStringBytes)
  const totalBytes = sizes.reduce((total, { bytes }) => total + bytes + 1, 0)
  if (tooLong.length === 0 && sizes.length <= maxVariables && totalBytes <= maxEnvBytes) return
  const names = tooLong.map(({ name }) => name)
  throw new SandboxError(
    'ENV_TOO_LARGE',
    names.length > 0
      ? `variables longer than ${maxStringBytes} bytes: ${names.join(', ')}`
      : `${sizes.length} variables of ${totalBytes} bytes; an exec takes ${maxVariables} of ${maxEnvBytes} bytes`,
    { context: { names, variableCount: sizes.length, totalBytes, maxVariables, maxEnvBytes, maxStringBytes } },
  )
}
