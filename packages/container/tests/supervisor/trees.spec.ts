import { describe, expect, it } from 'vitest'
import { processesBelow, run, start, type SupervisorProcess, until } from './supervisor-process.ts'
import { useSupervisor } from './use-supervisor.ts'

const SIGTERM = 15
const SIGKILL = 9

describe.each(['amd64', 'sanitized'] as const)('the processes of a command (%s build)', (target) => {
  let supervisor: SupervisorProcess
  useSupervisor(target, (started) => (supervisor = started))

  const sleepers = () => processesBelow(supervisor.pid).filter(({ comm }) => comm === 'sleep' || comm === 'bash')

  it('kills fifty, wherever they went', async () => {
    const script = `
      trap '' TERM
      for i in {1..10}; do
        sleep 600 &
        setsid sleep 600 &
        (setsid nohup sleep 600 >/dev/null 2>&1 &)
        env -i setsid bash -c 'trap "" TERM; (sleep 600 & sleep 600)' &
      done
      disown -a
      (setsid bash -c 'kill -STOP $BASHPID; :' &)
      echo ready; while :; do sleep 600; done`
    const { command, stdout } = start(supervisor, script)
    await until(() => stdout.text === 'ready\n' && sleepers().length >= 50)
    const other = start(supervisor, 'sleep 600')
    await other.command.started
    const receipt = await command.signalTree(SIGKILL)
    expect(receipt.signalled).toBeGreaterThanOrEqual(50)
    expect(receipt.remaining).toBe(0)
    await until(
      () =>
        sleepers()
          .map(({ comm }) => comm)
          .join() === 'sleep',
    )
    await expect(command.exited).resolves.toMatchObject({ signal: 'SIGKILL', killedByHost: true })
    await command.drained
    expect(await other.command.signalTree(0)).toMatchObject({ remaining: 1 })
    await other.command.signalTree(SIGKILL)
  })

  it('terminates stopped processes, and counts those that stay', async () => {
    const script = 'trap "echo bye; exit 3" TERM; kill -STOP $$; while :; do sleep 1; done'
    const { command, stdout } = start(supervisor, script)
    await command.started
    await until(() => sleepers().some(({ state }) => state === 'T'))
    await command.signalTree(SIGTERM)
    await expect(command.exited).resolves.toMatchObject({ exitCode: 3, killedByHost: false })
    await command.drained
    expect(stdout.text).toBe('bye\n')
  })

  it('says how many ignore a signal, and which', async () => {
    const { command, stdout } = start(supervisor, 'trap "" TERM; echo $$; exec sleep 600')
    await until(() => stdout.text !== '')
    const receipt = await command.signalTree(SIGTERM)
    expect(receipt).toEqual({ signalled: 1, remaining: 1, pids: [Number(stdout.text)] })
    expect(await command.signalTree(SIGKILL)).toMatchObject({ signalled: 1, remaining: 0 })
  })

  it('leaves survivors of a normal exit alive, and knows whose they are', async () => {
    const { command } = start(supervisor, '(setsid sleep 600 >/dev/null 2>&1 &) ; exit 4')
    await expect(command.exited).resolves.toMatchObject({ exitCode: 4 })
    await command.drained
    await run(supervisor, 'true')
    expect(await command.signalTree(0)).toMatchObject({ remaining: 1 })
    await until(() => sleepers().length === 1)
    expect(await command.signalTree(SIGKILL)).toMatchObject({ remaining: 0 })
    await command.gone
    expect(sleepers()).toHaveLength(0)
  })

  it('kills a command that has barely started', async () => {
    for (let i = 0; i < 50; i++) {
      const { command } = start(supervisor, 'sleep 600')
      const receipt = command.signalTree(SIGKILL)
      expect(await receipt).toMatchObject({ remaining: 0 })
      await command.exited
    }
    expect(sleepers()).toHaveLength(0)
  })

  it('ends a fork bomb while others go on', async () => {
    const bomb = ':() { : | : & }; :; sleep 600'
    const resourceLimits = [{ resource: 6, soft: 300n, hard: 300n }]
    const { command } = start(supervisor, bomb, { uid: 4243, gid: 4243, resourceLimits, maxSpillBytes: 0 })
    await until(() => processesBelow(supervisor.pid).length > 150)
    expect((await run(supervisor, 'echo alive')).stdout).toBe('alive\n')
    let receipt = await command.signalTree(SIGKILL)
    for (let i = 0; i < 5 && receipt.remaining > 0; i++) receipt = await command.signalTree(SIGKILL)
    expect(receipt.remaining).toBe(0)
    expect(sleepers()).toHaveLength(0)
    await command.drained
  })

  it('loses a command whose keeper is killed from outside, and leaves none of its processes', async () => {
    const { command, stdout } = start(supervisor, '(setsid sleep 600 &) ; sleep 600 & echo ready; wait')
    await until(() => stdout.text === 'ready\n')
    const keeper = processesBelow(supervisor.pid).find(({ comm }) => comm === 'keeper')!
    process.kill(keeper.pid, 'SIGKILL')
    await expect(command.exited).rejects.toMatchObject({ code: 'SESSION_LOST' })
    await until(() => processesBelow(supervisor.pid).length === 0)
    expect((await run(supervisor, 'echo next')).stdout).toBe('next\n')
  })

  it('leaves no zombie and no keeper', async () => {
    for (let i = 0; i < 20; i++) await run(supervisor, '(setsid true &) ; true')
    await until(() => processesBelow(supervisor.pid).length === 0)
  })
})

describe('without a subreaper', () => {
  let supervisor: SupervisorProcess
  useSupervisor('amd64', (started) => (supervisor = started), ['--no-subreaper'])

  it('says so', async () => {
    await expect(supervisor.connection.hello).resolves.toMatchObject({ subreaper: false })
  })

  it('finds what left its parent or, with no other command running, its session', async () => {
    const { command, stdout } = start(
      supervisor,
      'sleep 600 & (sleep 600 &) ; (setsid sleep 600 &) ; (env -i setsid sleep 600 &) ; echo ready; exec sleep 600',
    )
    await until(() => stdout.text === 'ready\n' && processesBelow(supervisor.pid).length >= 6)
    expect(await command.signalTree(SIGKILL)).toMatchObject({ remaining: 0 })
    await command.gone
    expect(processesBelow(supervisor.pid).filter(({ comm }) => comm === 'sleep')).toEqual([])
  })

  it('knows when the last survivor has gone', async () => {
    const { command } = start(supervisor, '(setsid sleep 0.2 &) ; exit 5')
    await expect(command.exited).resolves.toMatchObject({ exitCode: 5 })
    await command.gone
    await command.drained
  })
})
