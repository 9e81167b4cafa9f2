import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openTerminal } from './open-terminal.ts'
import { processesBelow, run, start, type SupervisorProcess, until } from './supervisor-process.ts'
import { useSupervisor } from './use-supervisor.ts'

describe('a terminal and another command of its user', () => {
  let supervisor: SupervisorProcess
  useSupervisor('amd64', (started) => (supervisor = started))

  it('cannot be typed at, nor opened from the side that types', async () => {
    const { terminal, text, shows } = await openTerminal(supervisor, ['bash', '-c', 'tty; exec cat'])
    const name = (await shows(/^\/dev\/pts\/\d+(?=\r\n)/)).trim()
    // TIOCSTI types one character, TIOCGPTPEER opens the other side of a master.
    const script = `
      ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c ptmx
      exec 3<>${name} && echo opened
      perl -e 'open(my $t, "+<", "${name}") or die; print ioctl($t, 0x5412, my $c = "x") ? "TYPED\n" : "refused\n"'
      perl -e 'open(my $t, "+<", "${name}") or die; print ioctl($t, 0x5441, 2) ? "MASTER\n" : "refused\n"'`
    expect((await run(supervisor, script)).stdout).toBe('0\nopened\nrefused\nrefused\n')
    await terminal.write('typed\n')
    await shows(/typed\r\ntyped\r\n/)
    expect(text()).not.toContain('x')
    await terminal.terminate(0)
  })

  it('never signals a group of another session, whoever took the terminal', async () => {
    // The leader gives the terminal away and lives on.
    const give = 'ioctl(STDIN, 0x5422, 0); print "given\\n"; sleep 600'
    const { terminal, shows } = await openTerminal(supervisor, ['perl', '-e', `$SIG{HUP} = "IGNORE"; $| = 1; ${give}`])
    await shows(/given/)
    const { stdout } = await run(supervisor, `readlink /proc/${terminal.pid}/fd/0`)
    // A leader that opens a terminal which nobody has takes it.
    const thief = start(supervisor, `exec sleep 600 <${stdout.trim()}`)
    const { pid } = await thief.command.started
    const foreground = async () => (await run(supervisor, `cut -d " " -f 8 /proc/${pid}/stat`)).stdout.trim()
    await until(async () => (await foreground()) === `${pid}`)
    await expect(terminal.signalForeground('SIGKILL')).rejects.toMatchObject({ code: 'TERMINAL_NO_FOREGROUND' })
    expect(await thief.command.signalTree(9)).toMatchObject({ signalled: 1, remaining: 0 })
    await terminal.terminate(0)
  })

  it('leaves no descriptor and no process, a thousand times', { timeout: 120_000 }, async () => {
    const descriptors = () => readdirSync(`/proc/${supervisor.pid}/fd`).length
    const before = descriptors()
    for (let i = 0; i < 1000; i++) {
      const { terminal, text, ended } = await openTerminal(supervisor, ['echo', `${i}`])
      await ended
      expect(text()).toBe(`${i}\r\n`)
      await terminal.gone
    }
    await until(() => descriptors() === before && processesBelow(supervisor.pid).length === 0)
  })
})
