import type { BashExecutor, BashTask } from 'dsh-bash'
import type { ExecutorUnderTest } from '../executor-under-test.ts'
import type { Suite } from '../suite.ts'
import { start } from '../support/commands.ts'
import { pollUntil } from '../support/poll.ts'

/** A task's output is read in steps, and no byte twice. */
export function taskOutput({ test, expect, timing, capabilities, shared, mark }: Suite): void {
  /** Reads until something new is there. */
  const nextDelta = (bash: BashExecutor, task: BashTask): Promise<string> =>
    pollUntil(() => bash.readOutput(task.id).delta, timing.settleMs, timing.pollMs)

  /** A task that waits before each of its steps until the step is let through. */
  const startSteps = ({ bash, world }: ExecutorUnderTest, steps: readonly string[]) => {
    const gate = `${world.workdir}/gate-${mark()}`
    const script = steps.map((step, i) => `until [[ -e ${gate}-${i} ]]; do sleep 0.02; done; ${step}`)
    const task = start(bash, script.join('\n'))
    const letThrough = async (step: number): Promise<void> => {
      await start(bash, `touch ${gate}-${step}`).done
    }
    return { task, letThrough }
  }

  test('comes while the task runs, each part once', async () => {
    const executor = await shared()
    const { bash } = executor
    const { task, letThrough } = startSteps(executor, ['echo one', 'echo two', 'echo three'])
    expect(bash.readOutput(task.id).delta).toBe('')
    await letThrough(0)
    expect(await nextDelta(bash, task)).toBe('one\n')
    expect(bash.readOutput(task.id).delta).toBe('')
    await letThrough(1)
    expect(await nextDelta(bash, task)).toBe('two\n')
    expect(task.status).toBe('running')
    await letThrough(2)
    await task.done
    expect(bash.readOutput(task.id)).toEqual({ task, delta: 'three\n', lossy: false })
    expect(bash.readOutput(task.id)).toEqual({ task, delta: '', lossy: false })
    expect(bash.readOutput(task.id).task).toBe(task)
  })

  test('is complete once the task is done', async () => {
    const { bash } = await shared()
    const task = start(bash, 'seq 9000')
    await task.done
    expect(bash.readOutput(task.id).delta).toBe(Array.from({ length: 9000 }, (_, i) => `${i + 1}\n`).join(''))
  })

  test('has stderr in a section of its own, after stdout', async () => {
    const { bash } = await shared()
    const deltaOf = async (command: string): Promise<string> => {
      const task = start(bash, command)
      await task.done
      return bash.readOutput(task.id).delta
    }
    expect(await deltaOf('echo err >&2; echo out')).toBe('out\n[stderr]\nerr\n')
    expect(await deltaOf('printf err >&2; printf out')).toBe('out\n[stderr]\nerr')
    expect(await deltaOf('echo err >&2')).toBe('[stderr]\nerr\n')
    expect(await deltaOf('echo out')).toBe('out\n')
    expect(await deltaOf('true')).toBe('')
  })

  test('joins a character whose bytes come in two reads', async () => {
    const executor = await shared()
    const { bash } = executor
    const { task, letThrough } = startSteps(executor, ["printf 'a\\xe2\\x82'", "printf '\\xacb'"])
    await letThrough(0)
    const first = await nextDelta(bash, task)
    await letThrough(1)
    await task.done
    expect(first + bash.readOutput(task.id).delta).toBe('a€b')
  })

  test('shows what never becomes a character once the task is done', async () => {
    const { bash } = await shared()
    const task = start(bash, "printf 'a\\xe2\\x82'")
    await task.done
    expect(bash.readOutput(task.id).delta).toBe('a\ufffd')
  })

  test('is lossy when the place of the read has left the memory, and names the spill', async () => {
    const { bash } = await shared({ maxOutputBytes: 1000 })
    const task = start(bash, 'seq 5000; seq 3 >&2')
    await task.done
    const { delta, lossy, stdoutSpillPath, ...rest } = bash.readOutput(task.id)
    const tail = Array.from({ length: 5000 }, (_, i) => `${i + 1}\n`)
      .join('')
      .slice(-1000)
    expect({ delta, lossy, rest }).toEqual({ delta: `${tail}[stderr]\n1\n2\n3\n`, lossy: true, rest: { task } })
    expect(stdoutSpillPath).toMatch(/^\//)
  })

  test('is not lossy when everything was read in time, and goes on after a lossy read', async () => {
    const executor = await shared({ maxOutputBytes: 1000 })
    const { bash } = executor
    const { task, letThrough } = startSteps(executor, [
      "printf '%0900d' 1",
      "printf '%0900d' 2",
      'seq 5000',
      'echo end',
    ])
    await letThrough(0)
    expect((await nextDelta(bash, task)).length).toBe(900)
    await letThrough(1)
    expect((await nextDelta(bash, task)).length).toBe(900)
    await letThrough(2)
    const lossy = await pollUntil(() => bash.readOutput(task.id).lossy, timing.settleMs, timing.pollMs)
    expect(lossy).toBe(true)
    await letThrough(3)
    await task.done
    expect(bash.readOutput(task.id).delta.endsWith('end\n')).toBe(true)
    expect(bash.readOutput(task.id).delta).toBe('')
  })

  test('stays readable after a kill', async () => {
    const executor = await shared()
    const { bash } = executor
    const task = start(bash, `echo before; sleep 86400.${mark()}`)
    const before = await nextDelta(bash, task)
    bash.kill(task.id)
    await task.done
    expect([before, bash.readOutput(task.id).delta]).toEqual(['before\n', ''])
    expect(capabilities.exactSignals ? task.signal : 'SIGTERM').toBe('SIGTERM')
  })
}
