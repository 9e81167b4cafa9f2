import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 50
const deadlineMs = 20_000

/**
 * Looks until `check` gives something truthy.
 *
 * @throws when it does not within 20 seconds
 */
export async function eventually<Value>(
  what: string,
  check: () => Value | Promise<Value>,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const value = await check()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    await delay(pollMs)
  }
}
