import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 50
const defaultDeadlineMs = 20_000

/**
 * Looks until `check` gives something truthy.
 *
 * @param deadlineMs how long; 20 seconds unless it is known to take longer
 * @throws when it does not by then
 */
export async function eventually<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  deadlineMs = defaultDeadlineMs,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const value = await check()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    await delay(pollMs)
  }
}
