import type { Suite } from '../suite.ts'
import { refusalOf, run, start } from '../support/commands.ts'
import { expectNothingRan } from '../support/nothing-ran.ts'
import { expectAlive } from '../support/processes.ts'

/** An engine that goes away: what ran is lost, what comes is refused, and nothing runs elsewhere. */
export function engineLoss(suite: Suite): void {
  const { test, expect, capabilities, timing, shared, fresh, mark } = suite

  test('is possible exactly where recovery is claimed', async () => {
    const { world } = await shared()
    expect(world.breakEngine !== undefined).toBe(capabilities.engineRecovery)
  })

  if (!capabilities.engineRecovery) return

  test(
    'loses what runs, refuses what comes, and works again afterwards',
    async () => {
      await fresh({}, async ({ bash, world }) => {
        const [foreground, background] = [`sleep 86400.${mark()}`, `sleep 86400.${mark()}`]
        const refusal = refusalOf(bash, { command: foreground })
        const task = start(bash, background)
        await expectAlive(suite, world, foreground)
        await expectAlive(suite, world, background)

        await expectNothingRan(suite, async (command) => {
          const broken = await world.breakEngine?.()
          try {
            expect((await refusal)?.code).toBe('SESSION_LOST')
            await task.done
            expect([task.status, task.exitCode, task.cause?.kind]).toEqual(['killed', null, 'session-lost'])
            expect((await refusalOf(bash, { command }))?.code).toMatch(/^(ENGINE|SESSION)_/)
          } finally {
            await broken?.restore()
          }
        })

        expect((await run(bash, 'echo works')).stdout.text).toBe('works\n')
      })
    },
    timing.heavyTestMs,
  )
}
