import type { ExecutorPool } from './executor-pool.ts'
import type { Suite } from './suite.ts'
import { expectGone } from './support/processes.ts'

/** The last test: disposes of every executor and looks at what they leave in their worlds. */
export function registerLeftoverTest(suite: Suite, pool: ExecutorPool, suiteMark: string): void {
  const { test, expect, timing } = suite
  test(
    'nothing is left behind',
    async () => {
      await pool.disposeAll()
      try {
        for (const world of pool.worlds) {
          await expectGone(suite, world, suiteMark)
          expect(await world.leftovers()).toEqual([])
        }
      } finally {
        for (const world of pool.worlds) await world.close?.()
      }
    },
    timing.heavyTestMs,
  )
}
