import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openTerminal, terminalSpec } from './open-terminal.ts'
import { run, type SupervisorProcess, until } from './supervisor-process.ts'
import { useSupervisor } from './use-supervisor.ts'

describe.each(['amd64', 'sanitized'] as const)('the streams of a terminal (%s build)', (target) => {
  let supervisor: SupervisorProcess
  useSupervisor(target, (started) => (supervisor = started))

  it('ends its output with its command, whoever still writes to it, and loses none that came before', async () => {
    const script = 'trap "" HUP; yes & yes & yes & sleep 0.05; echo last; exit 4'
    const { terminal, text, ended } = await openTerminal(supervisor, ['bash', '-c', script])
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 4 })
    await ended
    expect(text()).toContain('last\r\n')
    // Their next writes failed.
    await terminal.gone
  })

  it('delivers every byte to a slow reader', async () => {
    const { connection } = supervisor
    const terminal = await connection.openTerminal(terminalSpec(['bash', '-c', 'stty -opost; seq 1 300000']))
    let text = ''
    let reads = 0
    for await (const chunk of terminal.output) {
      text += String(chunk)
      // Time for everything on the way to fill up.
      if (reads++ % 100 === 0) await connection.ping()
    }
    expect(text).toBe(Array.from({ length: 300_000 }, (_, i) => `${i + 1}\n`).join(''))
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 0 })
  })

  it('takes much input, in order', async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join('')
    const script = `stty raw -echo; echo ready; head -c ${lines.length} | sha256sum`
    const { terminal, shows } = await openTerminal(supervisor, ['bash', '-c', script])
    await shows(/ready/)
    const middle = lines.length / 2
    await Promise.all([terminal.write(lines.slice(0, middle)), terminal.write(lines.slice(middle))])
    await shows(new RegExp(createHash('sha256').update(lines).digest('hex')))
  })

  it('holds up no other channel with a flood that nobody reads', async () => {
    const flood = await supervisor.connection.openTerminal(terminalSpec(['yes']))
    const limitBytes = 8 * 1024 * 1024
    const standsStill = async (): Promise<boolean> => {
      const before = flood.output.readableLength
      for (let i = 0; i < 5; i++) await run(supervisor, 'true')
      return before > 0 && (flood.output.readableLength === before || before > limitBytes)
    }
    await until(standsStill)
    expect(flood.output.readableLength).toBeLessThan(limitBytes)
    expect((await run(supervisor, 'echo through')).stdout).toBe('through\n')
    const { terminal, shows } = await openTerminal(supervisor, ['cat'])
    await terminal.write('typed\n')
    await shows(/typed\r\ntyped\r\n/)
    await Promise.all([terminal.terminate(0), flood.terminate(0)])
  })

  it('lets its command go on when its output is wanted no more', async () => {
    const terminal = await supervisor.connection.openTerminal(terminalSpec(['bash', '-c', 'seq 1 3000000; exit 6']))
    terminal.output.destroy()
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 6 })
    await terminal.gone
  })
})
