import { type ErrorCode, SandboxError } from 'dsh-bash-error'
import type { CommandSpec } from './frame-encoder.ts'
import type { StartFailure } from './frame-payloads.ts'
import { errnoName } from './linux-names.ts'
import { maxSpawnBytes } from './protocol.ts'

/** The error of a command that could not be started, with the stage and the kernel's own answer. */
export function startError({ stage, errno: number }: StartFailure, spec: CommandSpec): SandboxError {
  const errno = errnoName(number)
  const context = { stage, errno, subject: stage === 'directory' ? spec.workdir : spec.argv[0] }
  if (stage === 'exec' && errno === 'E2BIG') return tooLarge(spec, context)
  const message =
    stage === 'directory'
      ? `${errno}: the directory cannot be entered in the container: ${spec.workdir}`
      : `the command could not be started: ${stage}: ${errno}`
  return new SandboxError(codeOf(stage, errno), message, { context })
}

/** The error of a command that no SPAWN frame can carry. */
export function tooLargeForFrame(spec: CommandSpec, sizeBytes: number): SandboxError {
  return tooLarge(spec, { sizeBytes, maxBytes: maxSpawnBytes })
}

function codeOf(stage: StartFailure['stage'], errno: string): ErrorCode {
  if (stage === 'directory' && (errno === 'ENOENT' || errno === 'ENOTDIR')) return 'WORKDIR_NOT_FOUND'
  if (stage === 'exec' && errno === 'ENOENT') return 'SHELL_NOT_FOUND'
  if (stage === 'keeper') return 'SESSION_LOST'
  return 'SPAWN_FAILED'
}

/** The kernel counts arguments and environment together; whichever is larger is to blame. */
function tooLarge(spec: CommandSpec, facts: Record<string, unknown>): SandboxError {
  const argvBytes = totalBytes(spec.argv)
  const envBytes = totalBytes(Object.entries(spec.env).flat())
  const context = { ...facts, argvBytes, envBytes }
  return envBytes > argvBytes
    ? new SandboxError('ENV_TOO_LARGE', `the environment of ${envBytes} bytes is too large`, { context })
    : new SandboxError('COMMAND_TOO_LARGE', `the command of ${argvBytes} bytes is too large`, { context })
}

function totalBytes(strings: readonly string[]): number {
  return strings.reduce((total, text) => total + Buffer.byteLength(text) + 1, 0)
}
