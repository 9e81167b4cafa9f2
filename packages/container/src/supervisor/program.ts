import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SandboxError } from 'dsh-bash-error'
import type { Engine } from '../engine/engine.ts'

/** The supervisor for one engine's processor. */
export interface SupervisorProgram {
  readonly bytes: Buffer
  /** SHA-256 of the bytes, in hex: what the supervisor says of itself in its hello. */
  readonly build: string
}

/** Our name of an engine's processor, as in the names of the built programs. */
const builds: Readonly<Record<string, string>> = { x86_64: 'amd64', amd64: 'amd64', aarch64: 'arm64', arm64: 'arm64' }

/**
 * The program that this package carries for the engine's processor.
 *
 * @throws `SUPERVISOR_UNAVAILABLE` when there is none
 */
export async function supervisorProgram(engine: Engine): Promise<SupervisorProgram> {
  const { architecture } = engine.info
  const build = builds[architecture]
  const path = new URL(`../../assets/supervisor/supervisor-${build}`, import.meta.url)
  const bytes = build === undefined ? undefined : await readFile(path).catch(() => undefined)
  if (bytes === undefined) {
    throw new SandboxError('SUPERVISOR_UNAVAILABLE', `there is no supervisor for an engine on ${architecture}`, {
      context: { architecture },
    })
  }
  return { bytes, build: createHash('sha256').update(bytes).digest('hex') }
}
