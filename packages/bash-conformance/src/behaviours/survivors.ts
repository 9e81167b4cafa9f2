import type { Suite } from '../suite.ts'
import { run, start } from '../support/commands.ts'
import { endMarkedProcesses } from '../support/end-marked.ts'
import { expectAlive, survivorsWith } from '../support/processes.ts'

/** What outlives a command that ended by itself stays alive, as it does after a local bash. */
export function survivors(suite: Suite): void {
  const { test, expect, expectCapability, shared, fresh, mark } = suite

  test('stay alive after the result, whether they hold its output or not', async () => {
    const { bash, world } = await shared({ graceMs: 100 })
    for (const redirection of ['', '> /dev/null 2>&1 < /dev/null']) {
      const sleeper = `sleep 86400.${mark()}`
      const result = await run(bash, `${sleeper} ${redirection} & echo done`)
      expect({ exitCode: result.exitCode, stdout: result.stdout.text }).toEqual({ exitCode: 0, stdout: 'done\n' })
      await expectAlive(suite, world, sleeper)
      await endMarkedProcesses(bash, sleeper)
    }
  })

  test('stay alive after the end of a task', async () => {
    const { bash, world } = await shared({ graceMs: 100 })
    const sleeper = `sleep 86400.${mark()}`
    const task = start(bash, `${sleeper} & echo done`)
    await task.done
    expect({ status: task.status, exitCode: task.exitCode }).toEqual({ status: 'completed', exitCode: 0 })
    await expectAlive(suite, world, sleeper)
    await endMarkedProcesses(bash, sleeper)
  })

  test('end with the executor, or the manifest disclaims it', async () => {
    const { bash: other, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    await fresh({}, async ({ bash }) => {
      await run(bash, `${sleeper} > /dev/null 2>&1 &`)
      await expectAlive(suite, world, sleeper)
    })
    const left = await survivorsWith(suite, world, sleeper)
    expectCapability('endsSurvivors', left.length === 0)
    if (left.length > 0) await endMarkedProcesses(other, sleeper)
  })
}
