import type { Suite } from '../suite.ts'
import { run, start } from '../support/commands.ts'
import { endedBy } from '../support/ended-by.ts'
import { expectGone } from '../support/processes.ts'
import { timed } from '../support/poll.ts'

const shortMs = 150

/** A command that takes too long is ended: TERM first, KILL after `graceMs`. */
export function timeout(suite: Suite): void {
  const { test, expect, timing, shared, mark } = suite

  test('ends a command, says so and keeps what it had printed', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const result = await run(bash, { command: `echo before; echo err >&2; ${sleeper}`, timeoutMs: shortMs })
    expect({ ...factsOf(result), ...endedBy(suite, result, 'SIGTERM') }).toEqual({
      timedOut: true,
      aborted: false,
      timeoutMs: shortMs,
      endedBySignal: true,
    })
    expect([result.stdout.text, result.stderr.text]).toEqual(['before\n', 'err\n'])
    await expectGone(suite, world, sleeper)
  })

  test('reports a command that traps TERM and exits 0 as timed out with exit code 0', async () => {
    const { bash } = await shared()
    const command = 'trap "echo cleaned; exit 0" TERM; echo ready; while :; do sleep 0.02; done'
    const result = await run(bash, { command, timeoutMs: shortMs })
    expect({ ...factsOf(result), exitCode: result.exitCode, signal: result.signal }).toEqual({
      timedOut: true,
      aborted: false,
      timeoutMs: shortMs,
      exitCode: 0,
      signal: null,
    })
    expect(result.stdout.text).toBe('ready\ncleaned\n')
  })

  test('ends a command that ignores TERM with KILL after the grace', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const command = `trap "" TERM; ${sleeper} & while :; do sleep 0.02; done`
    const { value: result, elapsedMs } = await timed(() => run(bash, { command, timeoutMs: shortMs }))
    expect({ ...factsOf(result), ...endedBy(suite, result, 'SIGKILL') }).toEqual({
      timedOut: true,
      aborted: false,
      timeoutMs: shortMs,
      endedBySignal: true,
    })
    expect(elapsedMs).toBeGreaterThanOrEqual(shortMs + timing.graceMs)
    expect(elapsedMs).toBeLessThanOrEqual(shortMs + timing.graceMs + timing.slackMs)
    await expectGone(suite, world, sleeper)
  })

  test('holds the cap of the configuration against the request', async () => {
    const { bash } = await shared({ timeoutMs: shortMs, maxTimeoutMs: 2 * shortMs })
    const result = await run(bash, { command: `sleep 86400.${mark()}`, timeoutMs: 60_000 })
    expect(factsOf(result)).toEqual({ timedOut: true, aborted: false, timeoutMs: 2 * shortMs })
  })

  test('applies the configured default to a request that names none', async () => {
    const { bash } = await shared({ timeoutMs: shortMs, maxTimeoutMs: 2 * shortMs })
    const result = await run(bash, `sleep 86400.${mark()}`)
    expect(factsOf(result)).toEqual({ timedOut: true, aborted: false, timeoutMs: shortMs })
  })

  test('does not apply to a background task', async () => {
    const { bash } = await shared()
    const task = start(bash, { command: 'sleep 0.6; echo finished', timeoutMs: shortMs })
    await task.done
    expect({ status: task.status, exitCode: task.exitCode, output: bash.readOutput(task.id).delta }).toEqual({
      status: 'completed',
      exitCode: 0,
      output: 'finished\n',
    })
  })
}

function factsOf(result: { timedOut: boolean; aborted: boolean; timeoutMs: number }): object {
  return { timedOut: result.timedOut, aborted: result.aborted, timeoutMs: result.timeoutMs }
}
