import type { BashExecutor, BashTask } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { start } from '../support/commands.ts'
import { expectAlive } from '../support/processes.ts'

/** A listener hears of each task's end: once, before `done` resolves, for as long as its scope lives. */
export function listeners(suite: Suite): void {
  const { test, expect, shared, fresh, mark } = suite

  test('hear of a completed task, once, and before its done resolves', async () => {
    const { bash } = await shared()
    await listening(bash, async (heard) => {
      const task = start(bash, 'exit 4')
      expect(heard).toEqual([])
      let heardBeforeDone = -1
      await task.done.then(() => (heardBeforeDone = heard.length))
      expect(heardBeforeDone).toBe(1)
      expect(heard[0]).toBe(task)
      await start(bash, 'true').done
      expect(heard.filter((other) => other === task).length).toBe(1)
    })
  })

  test('see the task in its final state', async () => {
    const { bash } = await shared()
    const states: unknown[] = []
    const stop = bash.onTaskDone(({ status, exitCode, signal, id }) => {
      states.push({ status, exitCode, signal, delta: bash.readOutput(id).delta })
    })
    await start(bash, 'echo x; exit 4').done
    stop()
    expect(states).toEqual([{ status: 'completed', exitCode: 4, signal: null, delta: 'x\n' }])
  })

  test('hear of killed tasks and of those that could not be spawned', async () => {
    const { bash, world } = await shared()
    await listening(bash, async (heard) => {
      const sleeper = `sleep 86400.${mark()}`
      const killed = start(bash, sleeper)
      await expectAlive(suite, world, sleeper)
      bash.kill(killed.id)
      await killed.done
      const failed = start(bash, { command: 'true', workdir: `${world.workdir}/missing` })
      await failed.done
      expect(heard.map(({ id, status }) => [id, status])).toEqual([
        [killed.id, 'killed'],
        [failed.id, 'killed'],
      ])
    })
  })

  test('do not hear of foreground commands', async () => {
    const { bash } = await shared()
    await listening(bash, async (heard) => {
      await bash.run(bash.resolve({ command: 'true' }))
      await start(bash, 'true').done
      expect(heard.length).toBe(1)
    })
  })

  test('that throw are logged and harm neither the task nor the others', async () => {
    const { bash } = await shared()
    const logged = await withSilencedErrors(async () => {
      const stop = bash.onTaskDone(() => {
        throw new Error('a listener of the test')
      })
      await listening(bash, async (heard) => {
        await start(bash, 'true').done
        expect(heard.length).toBe(1)
      })
      stop()
    })
    expect(logged).toContain('a listener of the test')
  })

  test('are two when the same function is registered twice', async () => {
    const { bash } = await shared()
    let calls = 0
    const listener = (): void => void (calls += 1)
    const stops = [bash.onTaskDone(listener), bash.onTaskDone(listener)]
    await start(bash, 'true').done
    expect(calls).toBe(2)
    stops[0]?.()
    await start(bash, 'true').done
    expect(calls).toBe(3)
    stops[1]?.()
  })

  test('hear nothing once they are disposed of', async () => {
    const { bash } = await shared()
    const heard: BashTask[] = []
    const stop = bash.onTaskDone((task) => void heard.push(task))
    const task = start(bash, 'sleep 0.1')
    stop()
    await task.done
    expect(heard).toEqual([])
  })

  test('end with the scope that registered them, and only they', async () => {
    const executor = await shared()
    await listening(executor.bash, async (outer) => {
      const scope = await executor.childScope()
      const inner: BashTask[] = []
      scope.bash.onTaskDone((task) => void inner.push(task))
      await start(executor.bash, 'true').done
      expect([outer.length, inner.length]).toEqual([1, 1])
      await scope.dispose()
      await start(executor.bash, 'true').done
      expect([outer.length, inner.length]).toEqual([2, 1])
    })
  })

  test('hear nothing of what disposal ends', async () => {
    await fresh({}, async (executor) => {
      const heard: BashTask[] = []
      executor.bash.onTaskDone((task) => void heard.push(task))
      const sleeper = `sleep 86400.${mark()}`
      const task = start(executor.bash, sleeper)
      await expectAlive(suite, executor.world, sleeper)
      await executor.dispose()
      await task.done
      expect(heard).toEqual([])
    })
  })
}

async function listening(bash: BashExecutor, use: (heard: BashTask[]) => Promise<void>): Promise<void> {
  const heard: BashTask[] = []
  const stop = bash.onTaskDone((task) => void heard.push(task))
  try {
    await use(heard)
  } finally {
    stop()
  }
}

/** Keeps `console.error` from the report, and gives what it got. */
async function withSilencedErrors(use: () => Promise<void>): Promise<string> {
  const { error } = console
  const logged: string[] = []
  console.error = (...values: unknown[]) => void logged.push(values.map(String).join(' '))
  try {
    await use()
  } finally {
    console.error = error
  }
  return logged.join('\n')
}
