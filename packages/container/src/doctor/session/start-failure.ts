import { isSandboxError } from 'dsh-bash-error'
import { inTime, probeUser } from './run-bash.ts'
import type { SessionProbe } from './session-probe.ts'

/** A command that could not be started must never look like one that ran. */
export const startFailureProbe: SessionProbe = {
  name: 'start-failure',
  run: async (container) => {
    let deliveredBytes = 0
    const count = (chunk: Uint8Array): void => void (deliveredBytes += chunk.length)
    const exec = container.exec({
      argv: ['/no-such-program'],
      workdir: '/',
      env: {},
      user: probeUser,
      stdout: count,
      stderr: count,
    })
    const end = await inTime(exec.exited).catch((error: unknown) => {
      if (isSandboxError(error) && error.code === 'SPAWN_FAILED') return 'recognised' as const
      throw error
    })
    if (end !== 'recognised') {
      return { status: 'failed', detail: `a program that does not exist counts as one that ended with ${end.exitCode}` }
    }
    if (deliveredBytes > 0) {
      return { status: 'failed', detail: "the engine's message about a failed start is taken for the command's output" }
    }
    return { status: 'ok', detail: 'a command that cannot be started is recognised as such' }
  },
}
