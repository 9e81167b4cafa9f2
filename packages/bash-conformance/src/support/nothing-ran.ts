import type { Suite } from '../suite.ts'
import { quoted } from './commands.ts'

/**
 * Tries something with a command that would leave a file, and looks in the world that it did not.
 */
export async function expectNothingRan(
  { expect, shared, mark }: Suite,
  attempt: (command: string) => Promise<void>,
): Promise<void> {
  const { world } = await shared()
  const trace = `${world.workdir}/ran-${mark()}`
  await attempt(`echo ran > ${quoted(trace)}`)
  expect(await world.fileText(trace)).toBe(undefined)
}
