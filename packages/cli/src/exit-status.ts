import { constants } from 'node:os'
import type { BashRunResult } from 'dsh-bash'

/** The command could not be run; as of `env`, `docker run` and other programs that run one. */
export const couldNotRunStatus = 125
/** As of timeout(1). */
const timedOutStatus = 124

/** As a shell reports a process that a signal ended. */
export function signalStatus(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/** The exit status that tells how a command ended. */
export function resultStatus({ timedOut, signal, exitCode }: BashRunResult): number {
  if (timedOut) return timedOutStatus
  return signal === null ? (exitCode as number) : signalStatus(signal)
}
