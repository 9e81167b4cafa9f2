import { setTimeout as delay } from 'node:timers/promises'
import type { HostedProcess } from './port.ts'

const firstPollMs = 5
const longestPollMs = 100
/** How long KILL is repeated. What outlives this hangs in the kernel, and no signal can help. */
const proofMs = 5000

/**
 * Ends a command's whole tree: TERM, then KILL once `graceMs` have passed, repeated until the host
 * finds nobody alive.
 *
 * @returns how many processes the last look still found; 0 is the proof that none is left
 */
export async function endTree(process: HostedProcess, graceMs: number): Promise<number> {
  const termDeadline = performance.now() + graceMs
  if ((await process.signalTree('SIGTERM')) === 0) return 0
  if ((await pollUntilGone(process, 'probe', termDeadline)) === 0) return 0
  return pollUntilGone(process, 'SIGKILL', performance.now() + proofMs)
}

async function pollUntilGone(process: HostedProcess, signal: 'probe' | 'SIGKILL', deadline: number): Promise<number> {
  let waitMs = firstPollMs
  for (;;) {
    const aliveCount = signal === 'probe' ? undefined : await process.signalTree(signal)
    if (aliveCount === 0) return 0
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) return aliveCount ?? (await process.signalTree('probe'))
    await delay(Math.min(waitMs, leftMs))
    waitMs = Math.min(waitMs * 2, longestPollMs)
    if (signal === 'probe' && (await process.signalTree('probe')) === 0) return 0
  }
}
