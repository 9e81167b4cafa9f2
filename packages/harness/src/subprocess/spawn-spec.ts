import { posix } from 'node:path'
import type { SubprocessOutputMode, SubprocessSpawnSpec, SubprocessStdio } from '@deepseek-ai/dsh-subprocess'
import { SandboxError } from 'dsh-bash-error'
import type { StreamTerms } from 'dsh-container'

/** Node's timers hold a signed 32-bit number of milliseconds. */
const maxGraceMs = 2_147_483_647

/** The supervisor keeps no longer tail of a stream; what is collected past that comes here whole. */
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

/** What the supervisor keeps of each stream, so that it gets what was asked for it. */
export function captureTerms({ stdout, stderr }: SubprocessStdio): StreamTerms & { readonly stderrTerms: StreamTerms } {
  return { ...streamTerms(stdout), stderrTerms: streamTerms(stderr) }
}

/** A stream that is read as it comes makes the process wait for its reader, who has every byte. */
function streamTerms(mode: SubprocessOutputMode): StreamTerms {
  if (typeof mode === 'string' || mode.maxBytes > maxTailBytes) {
    return { maxOutputBytes: 0, maxSpillBytes: 0, isLossless: true }
  }
  return { maxOutputBytes: mode.maxBytes, maxSpillBytes: mode.spill?.maxBytes ?? 0, isLossless: false }
}
