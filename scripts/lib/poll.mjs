import { setTimeout as delay } from 'node:timers/promises'

const intervalMs = 100

/**
 * Asks until the answer is yes or the time is over.
 *
 * @param {() => boolean | Promise<boolean>} isTrue
 * @param {number} timeoutMs
 * @param {AbortSignal} [signal] ends the wait with its reason
 * @returns {Promise<boolean>} the last answer
 */
export async function poll(isTrue, timeoutMs, signal) {
  const deadline = performance.now() + timeoutMs
  while (!(await isTrue())) {
    signal?.throwIfAborted()
    if (performance.now() >= deadline) return false
    await delay(intervalMs)
  }
  return true
}
