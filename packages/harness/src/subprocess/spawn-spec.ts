import { posix } from 'node:path'
import type { SubprocessOutputMode, SubprocessSpawnSpec, SubprocessStdio } from '@deepseek-ai/dsh-subprocess'
import { SandboxError } from 'dsh-bash-error'

/** Node's timers hold a signed 32-bit number of milliseconds. */
const maxGraceMs = 2_147_483_647

/** The supervisor keeps no longer tail of a stream. */
const maxTailBytes = 64 * 1024 * 1024

/**
 * Refuses what cannot be started, at once.
 *
 * @throws `COMMAND_BLANK`, `COMMAND_INVALID`, `WORKDIR_INVALID`, `TIMEOUT_INVALID`
 */
export function validateSpawn({ argv, cwd, graceMs }: Pick<SubprocessSpawnSpec, 'argv' | 'cwd' | 'graceMs'>): void {
  if ((argv[0] ?? '') === '') throw new SandboxError('COMMAND_BLANK', 'argv does not begin with a program')
  if (argv.some((argument) => argument.includes('\0'))) {
    throw new SandboxError('COMMAND_INVALID', 'an argument holds a NUL byte')
  }
  if (cwd.includes('\0')) throw new SandboxError('WORKDIR_INVALID', 'the directory holds a NUL byte')
  if (!Number.isFinite(graceMs) || graceMs <= 0 || graceMs > maxGraceMs) {
    throw new SandboxError('TIMEOUT_INVALID', `graceMs must be positive and at most ${maxGraceMs}, got ${graceMs}`, {
      context: { field: 'graceMs', value: String(graceMs) },
    })
  }
}

/** A directory of the container; a relative one is below the world's own. */
export function worldDirectory(cwd: string, path: string): string {
  return posix.resolve(cwd, path)
}

/** What the supervisor keeps of the output, so that each stream gets what was asked for it. */
export interface CaptureTerms {
  readonly maxOutputBytes: number
  readonly maxSpillBytes: number
  readonly isLossless: boolean
}

/**
 * A stream that is read as it comes makes the process wait for its reader, and then no stream of it
 * spills: the reader has every byte.
 */
export function captureTerms({ stdout, stderr }: SubprocessStdio): CaptureTerms {
  const collected = [stdout, stderr].filter(isCollected)
  const maxOutputBytes = Math.max(1, ...collected.map(({ maxBytes }) => maxBytes))
  const isLossless = collected.length < 2 || maxOutputBytes > maxTailBytes
  return {
    maxOutputBytes: Math.min(maxOutputBytes, maxTailBytes),
    maxSpillBytes: Math.max(0, ...collected.map(({ spill }) => spill?.maxBytes ?? 0)),
    isLossless,
  }
}

function isCollected(mode: SubprocessOutputMode): mode is Exclude<SubprocessOutputMode, string> {
  return typeof mode !== 'string'
}
