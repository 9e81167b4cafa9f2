import { isAbsolute } from 'node:path'
import { SandboxError } from 'dsh-bash-error'
import type { BashExecSpec } from 'dsh-bash'

/**
 * Linux: `MAX_ARG_STRLEN` is 32 pages, and the terminating NUL counts. One argument or one
 * `NAME=value` that is longer makes `execve` fail with E2BIG.
 */
export const maxArgumentBytes = 131_071

/**
 * Refuses what no executor can run, before anything starts.
 *
 * @throws `COMMAND_BLANK`, `COMMAND_INVALID`, `COMMAND_TOO_LARGE`, `WORKDIR_INVALID`,
 *   `TIMEOUT_INVALID`, `ENV_INVALID`, `ENV_TOO_LARGE`
 */
export function validateSpec(spec: BashExecSpec): void {
  validateCommand(spec.command)
  validateWorkdir(spec.workdir)
  validateTimeout(spec.timeoutMs, 'spec.timeoutMs')
  if (spec.env !== undefined) validateEnv(spec.env)
}

/** @throws `TIMEOUT_INVALID`, naming the field */
export function validateTimeout(timeoutMs: number, field: string): void {
  if (Number.isFinite(timeoutMs) && timeoutMs > 0) return
  throw new SandboxError('TIMEOUT_INVALID', `${field} must be a positive finite number, got ${String(timeoutMs)}`, {
    context: { field, value: String(timeoutMs) },
  })
}

function validateCommand(command: string): void {
  if (command.trim() === '') throw new SandboxError('COMMAND_BLANK', 'the command is blank')
  if (command.includes('\0')) throw new SandboxError('COMMAND_INVALID', 'the command holds a NUL byte')
  const commandBytes = Buffer.byteLength(command)
  if (commandBytes > maxArgumentBytes) {
    throw new SandboxError(
      'COMMAND_TOO_LARGE',
      `the command is ${commandBytes} bytes long; one argument holds at most ${maxArgumentBytes}`,
      { context: { commandBytes, maxArgumentBytes } },
    )
  }
}

function validateWorkdir(workdir: string): void {
  if (workdir.includes('\0')) throw new SandboxError('WORKDIR_INVALID', 'the workdir holds a NUL byte')
  if (!isAbsolute(workdir)) {
    throw new SandboxError('WORKDIR_INVALID', `the workdir is not an absolute path: ${JSON.stringify(workdir)}`, {
      context: { workdir },
    })
  }
}

function validateEnv(env: Record<string, string>): void {
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || /[=\0]/.test(name)) {
      throw new SandboxError('ENV_INVALID', `not a variable name: ${JSON.stringify(name)}`, { context: { name } })
    }
    if (typeof value !== 'string' || value.includes('\0')) {
      throw new SandboxError('ENV_INVALID', `the value of ${name} is not a string without NUL`, { context: { name } })
    }
    const variableBytes = Buffer.byteLength(name) + 1 + Buffer.byteLength(value)
    if (variableBytes > maxArgumentBytes) {
      throw new SandboxError(
        'ENV_TOO_LARGE',
        `the variable ${name} is ${variableBytes} bytes long; one holds at most ${maxArgumentBytes}`,
        { context: { name, variableBytes, maxArgumentBytes } },
      )
    }
  }
}
