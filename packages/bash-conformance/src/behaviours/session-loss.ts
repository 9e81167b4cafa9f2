import type { OwnerToken } from 'dsh-bash'
import type { ExecutorUnderTest, World } from '../executor-under-test.ts'
import type { Suite } from '../suite.ts'
import { refusalOf, run, start, stdoutOf } from '../support/commands.ts'
import { expectAlive, expectGone } from '../support/processes.ts'

const owner = 'lost' as OwnerToken
const neighbour = 'neighbour' as OwnerToken

/** A session that ends under its commands: what ran is lost, never given an end that nobody saw. */
export function sessionLoss(suite: Suite): void {
  const { test, expect, capabilities, timing, shared, fresh, mark } = suite

  test('is possible exactly where recovery is claimed', async () => {
    const { world } = await shared()
    expect(world.destroySession !== undefined).toBe(capabilities.sessionRecovery)
  })

  if (!capabilities.sessionRecovery) return

  const withLostSession = (
    before: (executor: ExecutorUnderTest) => Promise<void>,
    after: (executor: ExecutorUnderTest) => Promise<void>,
  ): Promise<void> =>
    fresh({}, async (executor) => {
      await before(executor)
      await destroySession(executor.world)
      await after(executor)
    })

  test(
    'rejects a running command as lost',
    async () => {
      const sleeper = `sleep 86400.${mark()}`
      let refusal: ReturnType<typeof refusalOf> | undefined
      await withLostSession(
        async ({ bash, world }) => {
          refusal = refusalOf(bash, { command: `echo before; ${sleeper}`, owner })
          await expectAlive(suite, world, sleeper)
        },
        async ({ world }) => {
          expect((await refusal)?.code).toBe('SESSION_LOST')
          await expectGone(suite, world, sleeper)
        },
      )
    },
    timing.heavyTestMs,
  )

  test(
    'ends a running task as killed, with the cause and with what it had printed',
    async () => {
      await fresh({}, async ({ bash, world }) => {
        const sleeper = `sleep 86400.${mark()}`
        const heard: string[] = []
        bash.onTaskDone(({ id }) => void heard.push(id))
        const task = start(bash, { command: `echo before; ${sleeper}`, owner })
        await expectAlive(suite, world, sleeper)
        await destroySession(world)
        await task.done
        expect([task.status, task.exitCode, task.signal, task.cause?.kind]).toEqual([
          'killed',
          null,
          null,
          'session-lost',
        ])
        expect(heard).toEqual([task.id])
        expect(bash.readOutput(task.id).delta).toMatch(/^before\n/)
        expect(bash.kill(task.id)).toBe(false)
      })
    },
    timing.heavyTestMs,
  )

  test(
    'gives the next command a new session, without the state of the old one',
    async () => {
      const file = `"\${TMPDIR:-/tmp}/state-${mark()}"`
      await withLostSession(
        async ({ bash }) => void (await run(bash, { command: `echo kept > ${file}`, owner })),
        async ({ bash }) => {
          expect(await stdoutOf(bash, { command: `cat ${file} 2> /dev/null; echo works`, owner })).toBe('works\n')
        },
      )
    },
    timing.heavyTestMs,
  )

  test(
    'leaves the sessions of other owners alone',
    async () => {
      let running: ReturnType<typeof run> | undefined
      await withLostSession(
        async ({ bash }) => {
          await run(bash, { command: 'true', owner })
          running = run(bash, { command: 'sleep 1; echo unharmed', owner: neighbour })
          await run(bash, { command: 'true', owner: neighbour })
        },
        async () => {
          expect((await running)?.stdout.text).toBe('unharmed\n')
        },
      )
    },
    timing.heavyTestMs,
  )
}

async function destroySession(world: World): Promise<void> {
  await world.destroySession?.(owner)
}
