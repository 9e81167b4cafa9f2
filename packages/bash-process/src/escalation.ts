import { setTimeout as delay } from 'node:timers/promises'
import type { HostedProcess } from './port.ts'

/** Whatever can be signalled as a tree. */
type Tree = Pick<HostedProcess, 'signalTree'>

const firstPollMs = 5
const longestPollMs = 100
/** How long KILL is repeated. What outlives this hangs in the kernel, and no signal can help. */
const proofMs = 5000

/**
 * Ends a whole tree: TERM, then KILL once `graceMs` have passed, repeated until the host
 * finds nobody alive.
 *
 * @returns how many processes the last look still found; 0 is the proof that none is left
 */
export async function endTree(tree: Tree, graceMs: number): Promise<number> {
  const termDeadline = performance.now() + graceMs
  if ((await tree.signalTree('SIGTERM')) === 0) return 0
  if ((await pollUntilGone(tree, 'probe', termDeadline)) === 0) return 0
  return pollUntilGone(tree, 'SIGKILL', performance.now() + proofMs)
}

async function pollUntilGone(tree: Tree, signal: 'probe' | 'SIGKILL', deadline: number): Promise<number> {
  let waitMs = firstPollMs
  for (;;) {
    const aliveCount = signal === 'probe' ? undefined : await tree.signalTree(signal)
    if (aliveCount === 0) return 0
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) return aliveCount ?? (await tree.signalTree('probe'))
    await delay(Math.min(waitMs, leftMs))
    waitMs = Math.min(waitMs * 2, longestPollMs)
    if (signal === 'probe' && (await tree.signalTree('probe')) === 0) return 0
  }
}
