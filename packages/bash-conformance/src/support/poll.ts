import { setTimeout as delay } from 'node:timers/promises'

/** Looks until `check` gives something truthy or the time is over; then gives the last answer. */
export async function pollUntil<T>(check: () => T | Promise<T>, withinMs: number, pollMs: number): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await check()
    if (answer || performance.now() >= deadline) return answer
    await delay(pollMs)
  }
}

/** The value and how many milliseconds it took. */
export async function timed<T>(run: () => Promise<T>): Promise<{ value: T; elapsedMs: number }> {
  const startedAt = performance.now()
  const value = await run()
  return { value, elapsedMs: performance.now() - startedAt }
}
