import type { Suite } from '../suite.ts'
import { start } from '../support/commands.ts'
import { endMarkedProcesses } from '../support/end-marked.ts'
import { pollUntil } from '../support/poll.ts'
import { expectAlive, processesWith, survivorsWith } from '../support/processes.ts'

/** Those who try to get away: which of them the kill reaches is a matter of the manifest. */
export function escapees(suite: Suite): void {
  const { test, expect, expectCapability, shared, mark, timing } = suite

  /** Whether the kill of `command` leaves none of its processes alive. */
  const killReaches = async (commandOf: (sleeper: string) => string, state?: string): Promise<boolean> => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const task = start(bash, commandOf(sleeper))
    await expectAlive(suite, world, sleeper)
    if (state !== undefined) {
      const reached = async (): Promise<boolean> =>
        (await processesWith(world, sleeper)).some((process) => process.argv === sleeper && process.state === state)
      expect(await pollUntil(reached, timing.settleMs, timing.pollMs)).toBe(true)
    }
    bash.kill(task.id)
    await task.done
    const survivors = await survivorsWith(suite, world, sleeper)
    if (survivors.length > 0) await endMarkedProcesses(bash, sleeper)
    return survivors.length === 0
  }

  test('a group or session of its own, with its parent and without', async () => {
    const reached = [
      await killReaches((sleeper) => `set -m; ${sleeper} & wait`),
      await killReaches((sleeper) => `setsid ${sleeper} & wait`),
      await killReaches((sleeper) => `(setsid bash -c "${sleeper} & exit" &); ${sleeper}1; true`),
    ]
    expectCapability('killsSetsid', !reached.includes(false))
  })

  test('a session of its own without its environment', async () => {
    const reached = await killReaches((sleeper) => `env -i setsid ${sleeper} & wait`)
    expectCapability('killsEnvScrubbedSetsid', reached)
  })

  test('a daemon without its environment', async () => {
    const daemon = (sleeper: string): string => `(env -i setsid bash -c "${sleeper} & exit" &); ${sleeper}1; true`
    expectCapability('killsOrphanedDaemon', await killReaches(daemon))
  })

  test('a stopped process', async () => {
    const untilItSleeps = 'until [[ $(< /proc/$!/comm) == sleep ]]; do :; done'
    const stopped = (sleeper: string): string => `${sleeper} & ${untilItSleeps}; kill -STOP $!; wait`
    expectCapability('killsStopped', await killReaches(stopped, 'T'))
  })
}
