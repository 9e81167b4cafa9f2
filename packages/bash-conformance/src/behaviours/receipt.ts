import type { Suite } from '../suite.ts'
import { run, start } from '../support/commands.ts'
import { pollUntil } from '../support/poll.ts'

/** What became of the processes of a command that was ended. */
export function receipt({ test, expect, timing, shared, mark }: Suite): void {
  test('of a timeout says how many were signalled and that none is left', async () => {
    const { bash } = await shared()
    const tree = `sleep 86400.${mark()} & sleep 86400.${mark()} & wait`
    const { receipt: given } = await run(bash, { command: tree, timeoutMs: 300 })
    expect(given?.remainingCount).toBe(0)
    expect(given?.signalledCount).toBeGreaterThanOrEqual(3)
  })

  test('of a kill is on the task', async () => {
    const { bash } = await shared()
    const task = start(bash, `echo ready; sleep 86400.${mark()}`)
    await pollUntil(() => bash.readOutput(task.id).delta === 'ready\n', timing.settleMs, timing.pollMs)
    bash.kill(task.id)
    await task.done
    expect(task.receipt?.remainingCount).toBe(0)
    expect(task.receipt?.signalledCount).toBeGreaterThanOrEqual(1)
  })

  test('is not given for a command that ended by itself', async () => {
    const { bash } = await shared()
    const task = start(bash, 'kill -TERM $$')
    await task.done
    expect('receipt' in (await run(bash, 'exit 3'))).toBe(false)
    expect('receipt' in task).toBe(false)
  })
}
