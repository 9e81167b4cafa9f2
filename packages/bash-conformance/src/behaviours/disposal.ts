import type { Suite } from '../suite.ts'
import { refusalOf, run, start } from '../support/commands.ts'
import { expectAlive, processesWith } from '../support/processes.ts'

/** Disposal ends every command, waits for that, and leaves nothing. */
export function disposal(suite: Suite): void {
  const { test, expect, shared, fresh, mark } = suite

  test('kills what runs, in the foreground and in the background, and waits for it', async () => {
    const { world } = await shared()
    await fresh({}, async (executor) => {
      const [foreground, background] = [`sleep 86400.${mark()}`, `sleep 86400.${mark()}`]
      const running = run(executor.bash, foreground).catch(() => undefined)
      const task = start(executor.bash, `${background} & wait`)
      await expectAlive(suite, world, foreground)
      await expectAlive(suite, world, background)
      await executor.dispose()
      const left = [...(await processesWith(world, foreground)), ...(await processesWith(world, background))]
      expect(left).toEqual([])
      expect(task.status).toBe('killed')
      await Promise.all([running, task.done])
    })
  })

  test('waits for a command that traps TERM, and kills one that ignores it', async () => {
    const { world } = await shared()
    await fresh({}, async (executor) => {
      const [trapping, ignoring] = [`sleep 86400.${mark()}`, `sleep 86400.${mark()}`]
      const tasks = [
        start(executor.bash, `trap "sleep 0.2; echo cleaned; exit 3" TERM; ${trapping} & wait`),
        start(executor.bash, `trap "" TERM; ${ignoring} & wait`),
      ]
      await expectAlive(suite, world, trapping)
      await expectAlive(suite, world, ignoring)
      await executor.dispose()
      const left = [...(await processesWith(world, trapping)), ...(await processesWith(world, ignoring))]
      expect(left).toEqual([])
      await Promise.all(tasks.map((task) => task.done))
      expect(tasks.map((task) => [task.status, task.exitCode === 3])).toEqual([
        ['killed', true],
        ['killed', false],
      ])
    })
  })

  test('ends a command that is only just starting', async () => {
    const { world } = await shared()
    await fresh({}, async (executor) => {
      const sleeper = `sleep 86400.${mark()}`
      const task = start(executor.bash, sleeper)
      const running = run(executor.bash, sleeper).catch(() => undefined)
      await executor.dispose()
      expect(await processesWith(world, sleeper)).toEqual([])
      await Promise.all([running, task.done])
    })
  })

  test('empties the list', async () => {
    await fresh({}, async (executor) => {
      await start(executor.bash, 'true').done
      const running = start(executor.bash, `sleep 86400.${mark()}`)
      await executor.dispose()
      expect(executor.bash.list()).toEqual([])
      expect(executor.bash.get(running.id)).toBe(undefined)
    })
  })

  test('refuses every later command', async () => {
    await fresh({}, async (executor) => {
      const { bash } = executor
      await run(bash, 'true')
      await executor.dispose()
      expect((await refusalOf(bash, { command: 'true' }))?.code).toBe('EXECUTOR_DISPOSED')
    })
  })
}
