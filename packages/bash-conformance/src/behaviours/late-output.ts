import type { BashExecutor, BashTask } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { run, start } from '../support/commands.ts'
import { pollUntil } from '../support/poll.ts'

/** What a survivor writes once its command, and the grace after it, are over. */
export function lateOutput({ test, expect, timing, expectCapability, shared, mark }: Suite): void {
  test('is read through the task, or the manifest disclaims it', async () => {
    const { bash, world } = await shared({ graceMs: 100 })
    const gate = `${world.workdir}/gate-${mark()}`
    const written = `${world.workdir}/written-${mark()}`
    const survivor = `trap "" PIPE; until [[ -e ${gate} ]]; do sleep 0.02; done; echo late; echo done > ${written}`
    const task = start(bash, `(${survivor}) & echo early`)
    await task.done
    const read = reader(bash, task)
    expect(read()).toBe('early\n')

    await run(bash, `touch ${gate}`)
    const wrote = await pollUntil(() => world.fileText(written), timing.settleMs, timing.pollMs)
    expect(wrote).toBe('done\n')
    const cameThrough = await pollUntil(() => read() === 'early\nlate\n', timing.slackMs, timing.pollMs)
    expectCapability('lateOutput', cameThrough)
  })

  test('does not reopen the task', async () => {
    const { bash } = await shared({ graceMs: 100 })
    const task = start(bash, '(sleep 0.3; echo late) & echo early')
    await task.done
    await run(bash, 'sleep 0.5')
    expect({ status: task.status, exitCode: task.exitCode, signal: task.signal }).toEqual({
      status: 'completed',
      exitCode: 0,
      signal: null,
    })
  })
}

/** Everything that a task gave so far. */
function reader(bash: BashExecutor, task: BashTask): () => string {
  let text = ''
  return () => (text += bash.readOutput(task.id).delta)
}
