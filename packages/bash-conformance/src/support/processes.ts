import type { World, WorldProcess } from '../executor-under-test.ts'
import type { Suite } from '../suite.ts'
import { pollUntil } from './poll.ts'

/** The live processes with `text` among their arguments. A zombie is not alive. */
export async function processesWith(world: World, text: string): Promise<WorldProcess[]> {
  const processes = await world.processes()
  return processes.filter(({ argv, state }) => argv.includes(text) && state !== 'Z' && state !== 'X')
}

/** Waits until a process with exactly these arguments is there. */
export async function expectAlive({ expect, timing }: Suite, world: World, argv: string): Promise<void> {
  const seen = async (): Promise<boolean> => (await processesWith(world, argv)).some((process) => process.argv === argv)
  expect({ argv, alive: await pollUntil(seen, timing.settleMs, timing.pollMs) }).toEqual({ argv, alive: true })
}

/** Waits until no process has `text` among its arguments. */
export async function expectGone(suite: Suite, world: World, text: string): Promise<void> {
  suite.expect(await survivorsWith(suite, world, text)).toEqual([])
}

/** Who still has `text` among its arguments when everything had the time to end. */
export async function survivorsWith({ timing }: Suite, world: World, text: string): Promise<string[]> {
  let survivors: WorldProcess[] = []
  await pollUntil(
    async () => {
      survivors = await processesWith(world, text)
      return survivors.length === 0
    },
    timing.graceMs + timing.slackMs,
    timing.pollMs,
  )
  return survivors.map(({ argv }) => argv)
}
