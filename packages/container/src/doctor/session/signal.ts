import { PassThrough } from 'node:stream'
import { inTime, runBash, startBash } from './run-bash.ts'
import type { SessionProbe } from './session-probe.ts'

/** What the engine reports for a process that TERM ended: 128 + 15. */
const terminatedExitCode = 143

/** The engine has no call to signal an exec: a second one does it, as the same user. */
export const signalProbe: SessionProbe = {
  name: 'signal',
  run: async (container) => {
    // Input that never ends keeps it until the signal comes.
    const victim = startBash(container, 'echo $$; read -r', { stdin: new PassThrough() })
    const ended = inTime(victim.exec.exited)
    ended.catch(() => undefined) // awaited below, unless the second one fails first
    await Promise.race([ended, victim.firstOutput])
    await runBash(container, 'kill -TERM "$1"', { args: [victim.output().trim()] })
    const { exitCode } = await ended
    if (exitCode === terminatedExitCode) return { status: 'ok', detail: 'a signal reaches a command' }
    return { status: 'failed', detail: `a command that was sent TERM ended with exit code ${exitCode}` }
  },
}
