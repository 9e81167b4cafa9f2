import type { BashTaskId, OwnerToken } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { run, start } from '../support/commands.ts'
import { endedBy } from '../support/ended-by.ts'
import { messageThrownBy } from '../support/message-thrown-by.ts'
import { expectNothingRan } from '../support/nothing-ran.ts'
import { expectAlive, expectGone } from '../support/processes.ts'

const unknownId = 'bash-999' as BashTaskId

/** A background command is a task: a live object with a name, an owner and an end. */
export function tasks(suite: Suite): void {
  const { test, expect, shared, fresh, mark } = suite

  test('start at once, running, as bash-1, bash-2 and so on', async () => {
    await fresh({}, async ({ bash }) => {
      const command = `sleep 86400.${mark()}`
      const started = [start(bash, command), start(bash, 'exit 4')]
      const shown = started.map((task) => [task.id, task.command, task.status, task.exitCode, task.signal])
      expect(shown).toEqual([
        ['bash-1', command, 'running', null, null],
        ['bash-2', 'exit 4', 'running', null, null],
      ])
    })
  })

  test('are one object, which changes when the command ends', async () => {
    const { bash } = await shared()
    const task = start(bash, 'exit 4')
    expect(bash.get(task.id)).toBe(task)
    await task.done
    expect(bash.get(task.id)).toBe(task)
    expect([task.status, task.exitCode, task.signal]).toEqual(['completed', 4, null])
  })

  test('are listed in the order of their start, finished ones too', async () => {
    await fresh({}, async ({ bash }) => {
      const first = start(bash, 'sleep 0.2')
      const second = start(bash, 'true')
      await second.done
      const third = start(bash, 'true')
      expect(bash.list().map(({ id }) => id)).toEqual([first.id, second.id, third.id])
      await Promise.all([first.done, third.done])
      expect(bash.list().map(({ id }) => id)).toEqual([first.id, second.id, third.id])
    })
  })

  test('are not made by foreground commands', async () => {
    await fresh({}, async ({ bash }) => {
      await run(bash, 'true')
      expect(bash.list()).toEqual([])
      expect(start(bash, 'true').id).toBe('bash-1')
    })
  })

  test('hand their owner back verbatim', async () => {
    const { bash } = await shared()
    const owners = [undefined, '', 'someone', ' odd\n€"'].map((owner) => owner as OwnerToken | undefined)
    const started = owners.map((owner) => bash.start(bash.resolve({ command: 'true', owner })))
    await Promise.all(started.map((task) => task.done))
    expect(started.map((task) => bash.ownerOf(task.id))).toEqual(owners)
    expect(bash.ownerOf(unknownId)).toBe(undefined)
  })

  test('that signal themselves completed; only a kill or an abort makes them killed', async () => {
    const { bash } = await shared()
    const task = start(bash, 'kill -TERM $$')
    await task.done
    expect({ status: task.status, ...endedBy(suite, task, 'SIGTERM') }).toEqual({
      status: 'completed',
      endedBySignal: true,
    })
  })

  test('are killed from the moment of the kill, whatever their command makes of it', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const task = start(bash, `trap "exit 0" TERM; ${sleeper} & wait`)
    await expectAlive(suite, world, sleeper)
    expect(bash.kill(task.id)).toBe(true)
    expect(task.status).toBe('killed')
    await task.done
    expect([task.status, task.exitCode, task.signal]).toEqual(['killed', 0, null])
    await expectGone(suite, world, sleeper)
  })

  test('may be killed in the moment of their start', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const task = start(bash, sleeper)
    expect(bash.kill(task.id)).toBe(true)
    await task.done
    expect(task.status).toBe('killed')
    await expectGone(suite, world, sleeper)
  })

  test('that have ended are not killed', async () => {
    const { bash } = await shared()
    const task = start(bash, 'exit 4')
    await task.done
    expect(bash.kill(task.id)).toBe(false)
    expect([task.status, task.exitCode]).toEqual(['completed', 4])
  })

  test('that could not be spawned are killed and say why on their stderr', async () => {
    const { bash, world } = await shared()
    await expectNothingRan(suite, async (command) => {
      const task = start(bash, { command, workdir: `${world.workdir}/missing` })
      await task.done
      expect([task.status, task.exitCode, task.signal]).toEqual(['killed', null, null])
      expect(bash.readOutput(task.id).delta).toMatch(/^\[stderr\]\nspawn failed: .*ENOENT/)
      expect(bash.kill(task.id)).toBe(false)
    })
  })

  test('that do not exist are unknown to get, readOutput and kill', async () => {
    const { bash } = await shared()
    expect(bash.get(unknownId)).toBe(undefined)
    expect(await messageThrownBy(() => bash.readOutput(unknownId))).toBe('unknown bash task "bash-999"')
    expect(await messageThrownBy(() => bash.kill(unknownId))).toBe('unknown bash task "bash-999"')
  })
}
