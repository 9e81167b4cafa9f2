import { setTimeout as delay } from 'node:timers/promises'

/** How long an engine may take until a removed container is in no list any more. */
export const removalDeadlineMs = 10_000
const pollMs = 20

/**
 * Waits for the end of a removal. The list tells, and not a question for the container by its id: that one
 * is answered with 404 too while the engine is still creating it.
 *
 * @returns whether it was in no list within {@link removalDeadlineMs}
 */
export async function untilUnlisted(isListed: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + removalDeadlineMs
  while (await isListed()) {
    if (performance.now() > deadline) return false
    await delay(pollMs)
  }
  return true
}
