import { beforeAll, describe, expect, it } from 'vitest'
import { interactiveBash, openTerminal } from './open-terminal.ts'
import { processesBelow, sleeps, type SupervisorProcess, until } from './supervisor-process.ts'
import { useSupervisor } from './use-supervisor.ts'

const endOfFile = '\x04'
const interrupt = '\x03'
const suspend = '\x1a'

describe.each(['amd64', 'sanitized'] as const)('a terminal (%s build)', (target) => {
  let supervisor: SupervisorProcess
  useSupervisor(target, (started) => (supervisor = started))
  beforeAll(async () => expect(await supervisor.connection.hello).toMatchObject({ terminalErrno: 0 }))

  it('is a terminal that belongs to the command’s user, and all that it holds', async () => {
    const script = 't=$(tty); echo $t; stat -c "%u %a" $t; ls -l /proc/self/fd | grep -c $t; ls /proc/self/fd | wc -l'
    const { terminal, text, ended } = await openTerminal(supervisor, ['bash', '-c', script])
    expect(await terminal.exited).toMatchObject({ exitCode: 0, signal: null, hasSurvivors: false })
    await ended
    // The fourth is the folder that is being listed.
    expect(text()).toMatch(/^\/dev\/pts\/\d+\r\n4242 6[02]0\r\n2\r\n4\r\n$/)
  })

  it('echoes, and edits lines by whole characters', async () => {
    const { terminal, shows, ended } = await openTerminal(supervisor, ['cat'])
    await terminal.write('helo\x7flo\n')
    await expect(shows(/hello\r\n/)).resolves.toBe('helo\b \blo\r\nhello\r\n')
    await terminal.write('aü\x7fb\n')
    await expect(shows(/\nab\r\n/)).resolves.toBe('aü\b \bb\r\nab\r\n')
    await terminal.write(endOfFile)
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 0 })
    await ended
    await terminal.gone
  })

  it('has the size that it was given, and tells of another', async () => {
    const script = 'trap "stty size" WINCH; stty size; while :; do sleep 0.02; done'
    const { terminal, shows } = await openTerminal(supervisor, ['bash', '-c', script], {
      size: { rows: 30, columns: 100 },
    })
    await shows(/^30 100\r\n/)
    await terminal.resize({ rows: 50, columns: 65_535 })
    await shows(/^50 65535\r\n/)
    await terminal.terminate(0)
  })

  it.each([
    { rows: 0, columns: 80 },
    { rows: 24, columns: 65_536 },
    { rows: 1.5, columns: 80 },
  ])('has no size of $rows rows and $columns columns', async (size) => {
    const invalid = { code: 'TERMINAL_SIZE_INVALID' }
    await expect(openTerminal(supervisor, ['true'], { size })).rejects.toMatchObject(invalid)
    const { terminal } = await openTerminal(supervisor, ['cat'])
    await expect(terminal.resize(size)).rejects.toMatchObject(invalid)
    await terminal.terminate(0)
  })

  it('makes a signal of Ctrl-C', async () => {
    const script = 'trap "echo caught; exit 7" INT; echo ready; while :; do sleep 0.02; done'
    const { terminal, shows } = await openTerminal(supervisor, ['bash', '-c', script])
    await shows(/ready\r\n/)
    await terminal.write(interrupt)
    await shows(/caught\r\n/)
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 7 })
  })

  it.each(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGKILL', 'SIGTERM'] as const)(
    'sends its foreground group %s, and says which group that was',
    async (signal) => {
      const { terminal, shows } = await openTerminal(supervisor, [
        'bash',
        '-c',
        'stty -isig; echo ready; exec sleep 600',
      ])
      await shows(/ready/)
      expect(await terminal.signalForeground(signal)).toBe(terminal.pid)
      await expect(terminal.exited).resolves.toMatchObject({ signal, killedByHost: signal === 'SIGKILL' })
      await expect(terminal.inspectForeground()).resolves.toBeUndefined()
      const late = [terminal.signalForeground('SIGINT'), terminal.write('x'), terminal.resize({ rows: 1, columns: 1 })]
      await Promise.all(late.map((call) => expect(call).rejects.toMatchObject({ code: 'TERMINAL_ENDED' })))
    },
  )

  it('has job control: Ctrl-Z, fg, and the same by signals', async () => {
    const { terminal, shows } = await openTerminal(supervisor, interactiveBash)
    await shows(/\$ $/)
    await terminal.write('sleep 600\n')
    const group = async () => (await terminal.inspectForeground())?.processGroupId
    // Before it is that program, the shell's child ignores what a terminal sends.
    await until(() => sleeps(supervisor, 'sleep'))
    const job = await group()
    expect(job).not.toBe(terminal.pid)
    await terminal.write(suspend)
    await shows(/Stopped/)
    await until(async () => (await group()) === terminal.pid)
    await terminal.write('fg\n')
    await until(async () => (await group()) === job && sleeps(supervisor, 'sleep'))
    expect(await terminal.signalForeground('SIGTSTP')).toBe(job)
    await shows(/Stopped/)
    await terminal.write('fg\n')
    await until(async () => (await group()) === job && sleeps(supervisor, 'sleep'))
    expect(await terminal.signalForeground('SIGINT')).toBe(job)
    await until(async () => (await group()) === terminal.pid)
    await terminal.write('exit 5\n')
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 5 })
  })

  it.each([
    ['a program that reads', ['cat'], 'cat', true],
    ['a shell that edits its line', ['bash', '--norc', '--noprofile', '-i'], 'bash', true],
    ['a program that opens the terminal itself', ['bash', '-c', 'exec cat </dev/null /dev/tty'], 'cat', true],
    ['one that sleeps', ['sleep', '600'], 'sleep', false],
    ['one that reads a pipe', ['bash', '-c', 'sleep 600 | cat'], 'cat', false],
    ['one with a terminal of its own', ['bash', '-c', 'sleep 600 | script -qfc "exec cat" /dev/null'], 'cat', false],
  ] as const)('knows whether %s waits for its input', async (_, argv, last, isWaiting) => {
    const { terminal } = await openTerminal(supervisor, argv)
    await until(() => sleeps(supervisor, last))
    const waits = async (): Promise<boolean> => {
      const foreground = await terminal.inspectForeground()
      expect(foreground).toMatchObject({ processGroupId: terminal.pid })
      return foreground!.isWaitingForInput
    }
    if (isWaiting) await until(waits)
    else expect(await waits()).toBe(false)
    await terminal.terminate(0)
  })

  it('does not claim that a stopped program waits', async () => {
    const { terminal } = await openTerminal(supervisor, ['cat'])
    await until(async () => (await terminal.inspectForeground())!.isWaitingForInput)
    process.kill(processesBelow(supervisor.pid).find(({ comm }) => comm === 'cat')!.pid, 'SIGSTOP')
    await until(async () => !(await terminal.inspectForeground())!.isWaitingForInput)
    await terminal.signalForeground('SIGCONT')
    await until(async () => (await terminal.inspectForeground())!.isWaitingForInput)
    await terminal.terminate(0)
  })
})
