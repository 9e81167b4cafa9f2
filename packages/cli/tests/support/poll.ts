import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 50
const defaultDeadlineMs = 20_000

/**
 * Looks until `check` gives something truthy. What it throws is an answer of a world that changes
 * while it is looked at, such as a container that goes away between two questions.
 *
 * @param deadlineMs how long; 20 seconds unless it is known to take longer
 * @throws when it does not by then, with what the last look threw as the cause
 */
export async function eventually<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  deadlineMs = defaultDeadlineMs,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    let cause: unknown
    try {
      const value = await check()
      if (value) return value
    } catch (error) {
      cause = error
    }
    if (performance.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${what}`, { cause })
    await delay(pollMs)
  }
}
