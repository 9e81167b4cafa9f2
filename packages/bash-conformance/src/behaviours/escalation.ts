import type { Suite } from '../suite.ts'
import { start } from '../support/commands.ts'
import { endedBy } from '../support/ended-by.ts'
import { pollUntil, timed } from '../support/poll.ts'
import { expectAlive, expectGone, processesWith } from '../support/processes.ts'

/** A kill is TERM to the whole group, and KILL once `graceMs` have passed, counted from the first. */
export function escalation(suite: Suite): void {
  const { test, expect, timing, shared, fresh, mark } = suite

  test('gives a command its grace to end in its own way', async () => {
    const { bash, world } = await shared({ graceMs: timing.settleMs })
    const sleeper = `sleep 86400.${mark()}`
    const task = start(bash, `trap "sleep 0.5; echo cleaned; exit 9" TERM; ${sleeper} & wait`)
    await expectAlive(suite, world, sleeper)
    bash.kill(task.id)
    await task.done
    expect({ exitCode: task.exitCode, signal: task.signal, output: bash.readOutput(task.id).delta }).toEqual({
      exitCode: 9,
      signal: null,
      output: 'cleaned\n',
    })
  })

  test('sends TERM to the children as well', async () => {
    const { bash, world } = await shared({ graceMs: timing.settleMs })
    const sleeper = `sleep 86400.${mark()}`
    const child = `bash -c 'trap "echo child; exit" TERM; ${sleeper} & wait'`
    const task = start(bash, `trap "" TERM; (trap - TERM; exec ${child}); echo parent`)
    await expectAlive(suite, world, sleeper)
    const { elapsedMs } = await timed(async () => {
      bash.kill(task.id)
      await task.done
    })
    expect(bash.readOutput(task.id).delta).toBe('child\nparent\n')
    expect(elapsedMs).toBeLessThan(timing.settleMs)
  })

  test('wakes a stopped command, so that it can end in its own way', async () => {
    const { bash, world } = await shared({ graceMs: timing.settleMs })
    const sleeper = `sleep 86400.${mark()}`
    const task = start(bash, `trap "exit 9" TERM; ${sleeper} & kill -STOP $$; wait`)
    await expectAlive(suite, world, sleeper)
    bash.kill(task.id)
    await task.done
    expect({ exitCode: task.exitCode, signal: task.signal }).toEqual({ exitCode: 9, signal: null })
  })

  test('does not kill before the grace is over', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const task = start(bash, `trap "" TERM; ${sleeper}; true`)
    await expectAlive(suite, world, sleeper)
    const { elapsedMs } = await timed(async () => {
      bash.kill(task.id)
      await task.done
    })
    expect(elapsedMs).toBeGreaterThanOrEqual(timing.graceMs)
    expect(elapsedMs).toBeLessThanOrEqual(timing.graceMs + timing.slackMs)
    expect(endedBy(suite, task, 'SIGKILL')).toEqual({ endedBySignal: true })
    await expectGone(suite, world, sleeper)
  })

  test('is not restarted by another kill', async () => {
    const { graceMs, slackMs } = timing
    await fresh({ graceMs: graceMs + slackMs }, async ({ bash, world }) => {
      const sleeper = `sleep 86400.${mark()}`
      const task = start(bash, `trap "" TERM; ${sleeper}; true`)
      await expectAlive(suite, world, sleeper)
      const gone = async (): Promise<boolean> => {
        bash.kill(task.id)
        return (await processesWith(world, sleeper)).length === 0
      }
      // Killed again at every look, so that a restarted grace would never run out.
      expect(await pollUntil(gone, graceMs + 2 * slackMs, timing.pollMs)).toBe(true)
    })
  })
}
