import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { interactiveBash, openTerminal, terminalSpec } from './open-terminal.ts'
import { buildSupervisor, processesBelow, sleeps, SupervisorProcess, until } from './supervisor-process.ts'
import { useSupervisor } from './use-supervisor.ts'

const suspend = '\x1a'

describe.each(['amd64', 'sanitized'] as const)('the start and the end of a terminal (%s build)', (target) => {
  let supervisor: SupervisorProcess
  useSupervisor(target, (started) => (supervisor = started))

  it('hangs up at the end of its command', async () => {
    const { terminal, ended } = await openTerminal(supervisor, ['bash', '-c', 'sleep 600 & exit 3'])
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 3 })
    await ended
    await terminal.gone
  })

  it('ends every session that was made inside, whatever it ignores', async () => {
    const script = `
      trap "" HUP TERM INT
      setsid bash -c 'trap "" HUP TERM; while :; do sleep 1; done' &
      (setsid nohup sleep 600 >/dev/null 2>&1 &)
      env -i script -qfc 'trap "" HUP TERM; sleep 600' /dev/null >/dev/null </dev/null &
      echo ready; while :; do sleep 1; done`
    const { terminal, shows, ended } = await openTerminal(supervisor, ['bash', '-c', script])
    await shows(/ready/)
    await until(async () => (await terminal.signalTree(0)).remaining >= 7)
    await Promise.all([terminal.terminate(100), terminal.terminate(60_000)])
    await expect(terminal.exited).resolves.toMatchObject({ signal: 'SIGKILL' })
    await ended
    await until(() => processesBelow(supervisor.pid).length === 0)
  })

  it('ends an interactive shell without a kill, with its stopped jobs', async () => {
    const { terminal, shows } = await openTerminal(supervisor, interactiveBash)
    await terminal.write('sleep 600\n')
    await until(() => sleeps(supervisor, 'sleep'))
    await terminal.write(suspend)
    await shows(/Stopped/)
    await terminal.terminate(60_000)
    await expect(terminal.exited).resolves.toMatchObject({ killedByHost: false })
  })

  it.each([
    ['a directory that is none', { workdir: '/nowhere' }, 'WORKDIR_NOT_FOUND'],
    ['a program that is none', { argv: ['/no/such/program'] }, 'SHELL_NOT_FOUND'],
    ['the supervisor’s own user', { uid: 65_529 }, 'SPAWN_FAILED'],
  ])('cannot be opened for %s, and nothing of it is left', async (_, changes, code) => {
    const descriptors = readdirSync(`/proc/${supervisor.pid}/fd`).length
    await expect(openTerminal(supervisor, ['true'], changes)).rejects.toMatchObject({ code })
    await until(() => readdirSync(`/proc/${supervisor.pid}/fd`).length === descriptors)
  })

  it('is not opened for who has aborted', async () => {
    const aborted = { code: 'ABORTED_BEFORE_SPAWN' }
    const open = (signal: AbortSignal) => supervisor.connection.openTerminal(terminalSpec(['sleep', '600']), signal)
    await expect(open(AbortSignal.abort())).rejects.toMatchObject(aborted)
    const controller = new AbortController()
    const opening = open(controller.signal)
    controller.abort()
    await expect(opening).rejects.toMatchObject(aborted)
    await until(() => processesBelow(supervisor.pid).length === 0)
  })
})

describe('a terminal whose session is lost', () => {
  it('says so at every question, and nothing of it is left', async () => {
    const build = buildSupervisor('amd64')
    const supervisor = new SupervisorProcess(build.path)
    const terminal = await supervisor.connection.openTerminal(terminalSpec(['bash', '-c', 'stty raw; sleep 600']))
    const lost = { code: 'SESSION_LOST' }
    await until(async () => (await terminal.inspectForeground()) !== undefined)
    // More than the terminal and the credit take.
    const write = terminal.write(Buffer.alloc(4 * 1024 * 1024))
    const output = terminal.output.forEach(() => undefined)
    const question = terminal.inspectForeground()
    process.kill(supervisor.pid, 'SIGKILL')
    const answers = [write, output, question, terminal.exited]
    await Promise.all(answers.map((answer) => expect(answer).rejects.toMatchObject(lost)))
    await expect(terminal.write('x')).rejects.toMatchObject(lost)
    await expect(terminal.resize({ rows: 1, columns: 1 })).rejects.toMatchObject(lost)
    await expect(terminal.inspectForeground()).rejects.toMatchObject(lost)
    await expect(terminal.signalForeground('SIGINT')).rejects.toMatchObject(lost)
    await terminal.gone
    await terminal.terminate(60_000)
    await supervisor[Symbol.asyncDispose]()
    build.remove()
  })

  it('ends no harness that does not read it', async () => {
    const build = buildSupervisor('amd64')
    const supervisor = new SupervisorProcess(build.path)
    const { exited, output } = await supervisor.connection.openTerminal(terminalSpec(['sleep', '600']))
    await supervisor[Symbol.asyncDispose]()
    await expect(exited).rejects.toMatchObject({ code: 'SESSION_LOST' })
    await until(() => output.destroyed)
    build.remove()
  })
})
