import type { Suite } from '../suite.ts'
import { run, start } from '../support/commands.ts'

/** What a command used, measured where it ran. */
export function usage({ test, expect, expectCapability, shared }: Suite): void {
  const busy = 'for ((i = 0; i < 100000; i++)); do :; done'

  test('of processor and memory is reported, or the manifest disclaims it', async () => {
    const { bash } = await shared()
    const { usage: used } = await run(bash, busy)
    const isMeasured = (used?.userCpuMs ?? 0) > 0 && (used?.maxRssBytes ?? 0) > 0 && (used?.wallMs ?? 0) > 0
    expectCapability('reportsUsage', isMeasured)
  })

  test('is that of its own command, and of a task too', async () => {
    const { bash } = await shared()
    const idle = await run(bash, 'sleep 0.2')
    const task = start(bash, busy)
    await task.done
    const isItsOwn =
      (idle.usage?.wallMs ?? 0) >= 200 && (idle.usage?.userCpuMs ?? Infinity) < (task.usage?.userCpuMs ?? 0)
    expectCapability('reportsUsage', isItsOwn)
    expect('usage' in idle).toBe('usage' in task)
  })
}
