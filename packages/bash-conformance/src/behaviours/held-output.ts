import type { Suite } from '../suite.ts'
import { run, start } from '../support/commands.ts'
import { endMarkedProcesses } from '../support/end-marked.ts'
import { pollUntil, timed } from '../support/poll.ts'

const shortGraceMs = 100

/** A survivor that holds the output of a finished command delays its result by at most `graceMs`. */
export function heldOutput(suite: Suite): void {
  const { test, expect, timing, expectCapability, shared, mark } = suite

  for (const [held, redirection] of [
    ['both streams', ''],
    ['stderr alone', '> /dev/null'],
  ] as const) {
    test(`delays the result by at most graceMs when a survivor holds ${held}`, async () => {
      const { bash } = await shared({ graceMs: shortGraceMs })
      const sleeper = `sleep 86400.${mark()}`
      const { value: result, elapsedMs } = await timed(() => run(bash, `${sleeper} ${redirection} & echo done; exit 3`))
      expect({ exitCode: result.exitCode, stdout: result.stdout.text }).toEqual({ exitCode: 3, stdout: 'done\n' })
      expectCapability('promptAfterExit', elapsedMs <= shortGraceMs + timing.promptMs)
      await endMarkedProcesses(bash, sleeper)
    })
  }

  test('delays the end of a task by no more', async () => {
    const { bash } = await shared({ graceMs: shortGraceMs })
    const sleeper = `sleep 86400.${mark()}`
    const { elapsedMs } = await timed(() => start(bash, `${sleeper} & echo done`).done)
    expectCapability('promptAfterExit', elapsedMs <= shortGraceMs + timing.promptMs)
    await endMarkedProcesses(bash, sleeper)
  })

  test('is reported, or the manifest disclaims it', async () => {
    const { bash } = await shared({ graceMs: shortGraceMs })
    const sleeper = `sleep 86400.${mark()}`
    const held = await run(bash, `${sleeper} & echo done`)
    expectCapability('reportsHeldOutput', held.outputHeld === true)
    await endMarkedProcesses(bash, sleeper)
    expect('outputHeld' in (await run(bash, 'echo done'))).toBe(false)
  })

  test('is waited for no longer than it is held', async () => {
    const { bash } = await shared({ graceMs: timing.settleMs })
    const { value: result, elapsedMs } = await timed(() => run(bash, '(sleep 0.1; echo late) & echo early'))
    expect(result.stdout.text).toBe('early\nlate\n')
    expect('outputHeld' in result).toBe(false)
    expect(elapsedMs).toBeLessThan(timing.settleMs)
  })

  test('does not delay at all when the survivor gave the streams up', async () => {
    const { bash } = await shared({ graceMs: timing.settleMs })
    const sleeper = `sleep 86400.${mark()}`
    const { value: result, elapsedMs } = await timed(() => run(bash, `${sleeper} > /dev/null 2>&1 & echo done`))
    expect(result.stdout.text).toBe('done\n')
    expect('outputHeld' in result).toBe(false)
    expect(elapsedMs).toBeLessThan(timing.settleMs)
    await endMarkedProcesses(bash, sleeper)
  })

  test('delays no other command of the session, or the manifest disclaims it', async () => {
    const { bash } = await shared({ graceMs: shortGraceMs })
    const suiteMark = mark()
    const holding = ['1', '2', '3'].map((digit) => start(bash, `sleep 86400.${suiteMark}${digit} & echo done`))
    for (const { id } of holding) {
      await pollUntil(() => bash.readOutput(id).delta === 'done\n', timing.settleMs, timing.pollMs)
    }
    const holders = holding.map((task) => task.done)
    const { elapsedMs } = await timed(() => run(bash, 'true'))
    expectCapability('neighboursUndelayed', elapsedMs <= timing.promptMs)
    await Promise.all(holders)
    await endMarkedProcesses(bash, suiteMark)
  })
}
