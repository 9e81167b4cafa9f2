import { getEventListeners } from 'node:events'
import type { Suite } from '../suite.ts'
import { refusalOf, run, start } from '../support/commands.ts'
import { endedBy } from '../support/ended-by.ts'
import { expectNothingRan } from '../support/nothing-ran.ts'
import { expectAlive, expectGone } from '../support/processes.ts'

/** The caller's signal ends a command at any time, and says before which moment it came. */
export function abort(suite: Suite): void {
  const { test, expect, shared, mark } = suite

  test('before the start refuses the command with the reason, and nothing runs', async () => {
    const { bash } = await shared()
    for (const reason of ['changed my mind', new Error('changed my mind')]) {
      await expectNothingRan(suite, async (command) => {
        const refusal = await refusalOf(bash, { command, signal: AbortSignal.abort(reason) })
        expect(refusal?.code).toBe('ABORTED_BEFORE_SPAWN')
        expect(refusal?.message).toMatch(/aborted before spawn: .*changed my mind/)
      })
    }
  })

  test('in the moment of the start either refuses the command or ends it', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const controller = new AbortController()
    const ended = run(bash, { command: sleeper, signal: controller.signal }).then(
      ({ aborted }) => (aborted ? 'aborted' : 'ran'),
      (error: { code?: unknown }) => error.code,
    )
    controller.abort()
    expect(['aborted', 'ABORTED_BEFORE_SPAWN']).toContain(await ended)
    await expectGone(suite, world, sleeper)
  })

  test('while the command runs ends it, says so and keeps what it had printed', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const controller = new AbortController()
    const running = run(bash, { command: `echo before; ${sleeper}; echo after`, signal: controller.signal })
    await expectAlive(suite, world, sleeper)
    controller.abort()
    const result = await running
    expect({ aborted: result.aborted, timedOut: result.timedOut, ...endedBy(suite, result, 'SIGTERM') }).toEqual({
      aborted: true,
      timedOut: false,
      endedBySignal: true,
    })
    expect(result.stdout.text).toBe('before\n')
    await expectGone(suite, world, sleeper)
  })

  test('reports a command that traps TERM and exits as aborted with its own exit code', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const controller = new AbortController()
    const command = `trap "exit 5" TERM; ${sleeper} & wait`
    const running = run(bash, { command, signal: controller.signal })
    await expectAlive(suite, world, sleeper)
    controller.abort()
    const { aborted, timedOut, exitCode, signal } = await running
    expect({ aborted, timedOut, exitCode, signal }).toEqual({
      aborted: true,
      timedOut: false,
      exitCode: 5,
      signal: null,
    })
  })

  test('after the end changes nothing', async () => {
    const { bash } = await shared()
    const controller = new AbortController()
    const result = await run(bash, { command: 'echo x', signal: controller.signal })
    const before = structuredClone(result)
    controller.abort()
    expect(result).toEqual(before)
    expect({ aborted: result.aborted, exitCode: result.exitCode }).toEqual({ aborted: false, exitCode: 0 })
  })

  test('leaves no listener on the signal of a finished command', async () => {
    const { bash } = await shared()
    const { signal } = new AbortController()
    await run(bash, { command: 'true', signal })
    await start(bash, { command: 'true', signal }).done
    expect(getEventListeners(signal, 'abort').length).toBe(0)
  })

  test('ends a background task, which is then killed', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const controller = new AbortController()
    const task = start(bash, { command: sleeper, signal: controller.signal })
    await expectAlive(suite, world, sleeper)
    controller.abort()
    await task.done
    expect(task.status).toBe('killed')
    await expectGone(suite, world, sleeper)
  })

  test('before the start yields a killed task that says why, and nothing runs', async () => {
    const { bash } = await shared()
    await expectNothingRan(suite, async (command) => {
      const task = start(bash, { command, signal: AbortSignal.abort('changed my mind') })
      await task.done
      expect(task.status).toBe('killed')
      expect(bash.readOutput(task.id).delta).toMatch(/^\[stderr\]\nspawn failed: aborted before spawn: changed my mind/)
    })
  })
}
