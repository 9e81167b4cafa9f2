import { messageOf, SandboxError } from 'dsh-bash-error'
import type { HostedProcess } from './port.ts'

/** A process that was never started, because of `error`. */
export function refusedProcess(error: unknown): HostedProcess {
  const spawned = Promise.reject(error)
  // Whoever waits for the outcome is told; nobody has to wait for each step.
  spawned.catch(() => undefined)
  return {
    spawned,
    exited: spawned,
    drained: Promise.resolve(),
    signalTree: () => Promise.resolve(0),
    release: () => undefined,
  }
}

/** The rejection of a command whose caller aborted before it existed. */
export function abortedBeforeSpawn(signal: AbortSignal): SandboxError {
  const reason: unknown = signal.reason
  return new SandboxError('ABORTED_BEFORE_SPAWN', `aborted before spawn: ${messageOf(reason)}`, { cause: reason })
}
