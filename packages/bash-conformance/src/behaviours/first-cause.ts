import type { BashRunResult } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { run } from '../support/commands.ts'

const shortMs = 100

/** Says what came first, in a trap that a second cause then finds the command in. */
const slowToEnd = 'trap "sleep 0.3; exit 0" TERM; while :; do sleep 0.02; done'

/** `timedOut` and `aborted` name what ended a command first, and are never both true. */
export function firstCause({ test, expect, shared }: Suite): void {
  test('is the timeout when the abort comes while the command is ending', async () => {
    const { bash } = await shared()
    const signal = AbortSignal.timeout(2 * shortMs)
    expect(causesOf(await run(bash, { command: slowToEnd, timeoutMs: shortMs, signal }))).toEqual(['timedOut'])
  })

  test('is the abort when the timer would run out while the command is ending', async () => {
    const { bash } = await shared()
    const signal = AbortSignal.timeout(shortMs)
    expect(causesOf(await run(bash, { command: slowToEnd, timeoutMs: 1000, signal }))).toEqual(['aborted'])
  })

  test('is exactly one when both come at the same moment', async () => {
    const { bash } = await shared()
    const race = (): Promise<BashRunResult> => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), shortMs)
      return run(bash, { command: slowToEnd, timeoutMs: shortMs, signal: controller.signal })
    }
    const results = await Promise.all(Array.from({ length: 8 }, race))
    expect(results.map((result) => causesOf(result).length)).toEqual(Array.from({ length: 8 }, () => 1))
  })

  test('is neither when the command ends by itself before both', async () => {
    const { bash } = await shared()
    const { signal } = new AbortController()
    expect(causesOf(await run(bash, { command: 'exit 0', timeoutMs: 60_000, signal }))).toEqual([])
  })
}

function causesOf(result: BashRunResult): string[] {
  return (['timedOut', 'aborted'] as const).filter((cause) => result[cause])
}
