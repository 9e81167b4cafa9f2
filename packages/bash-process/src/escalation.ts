import { setTimeout as delay } from 'node:timers/promises'
import type { BashKillReceipt } from 'dsh-bash'
import type { HostedProcess, TreeSignal } from './port.ts'

/** Whatever can be signalled as a tree. */
type Tree = Pick<HostedProcess, 'signalTree'>

const firstPollMs = 5
const longestPollMs = 100
/** How long KILL is repeated. What outlives this hangs in the kernel, and no signal can help. */
const proofMs = 5000

/**
 * Ends a whole tree: TERM, then KILL once `graceMs` have passed, repeated until the host finds
 * nobody alive.
 */
export async function endTree(tree: Tree, graceMs: number): Promise<BashKillReceipt> {
  const graceEnd = performance.now() + graceMs
  let signalledCount = 0
  const signal = async (what: TreeSignal): Promise<number> => {
    const aliveCount = await tree.signalTree(what)
    signalledCount = Math.max(signalledCount, aliveCount)
    return aliveCount
  }
  let remainingCount = await signal('SIGTERM')
  if (remainingCount > 0) remainingCount = await untilGone(() => signal('probe'), graceEnd)
  if (remainingCount > 0) remainingCount = await untilGone(() => signal('SIGKILL'), performance.now() + proofMs)
  return { signalledCount, remainingCount }
}

/** Looks again and again, soon and then less often; resolves with what the last look found. */
async function untilGone(look: () => Promise<number>, deadline: number): Promise<number> {
  for (let waitMs = firstPollMs; ; waitMs = Math.min(waitMs * 2, longestPollMs)) {
    const aliveCount = await look()
    const leftMs = deadline - performance.now()
    if (aliveCount === 0 || leftMs <= 0) return aliveCount
    await delay(Math.min(waitMs, leftMs))
  }
}
