import { type ConfinedArgv, type SandboxPolicy, SandboxProvider } from '@deepseek-ai/dsh-sandbox'
import { confinedArgv } from '../subprocess/index.ts'

/**
 * `ctx.sandbox` for the permission dialogue: a mode of the harness chooses between two containers, of
 * which one may change no folder of the host. Wider than the container is no mode.
 */
export class DockerSandbox extends SandboxProvider {
  confine(argv: readonly string[], { mode }: SandboxPolicy): ConfinedArgv {
    return {
      argv: confinedArgv(argv, mode === 'read-only' ? 'read-only' : 'configured'),
      enforcement: 'full',
      // EROFS, as every C library says it in the C and the English locales.
      denialSignatures: ['read-only file system'],
      // There is no runner: a container that cannot be had fails the start of the process.
      runnerFailureRules: [],
    }
  }
}
