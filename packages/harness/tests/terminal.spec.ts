import type { SubprocessRuntime, SubprocessTerminalHandle } from '@deepseek-ai/dsh-subprocess'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestWorld, testWorld } from './support/harness.ts'
import { run, until } from './support/processes.ts'

/** A terminal, and everything that it has displayed. */
interface Screen {
  readonly terminal: SubprocessTerminalHandle
  text(): string
  shows(pattern: RegExp): Promise<true>
}

describe('a terminal of the harness in the container', () => {
  let world: TestWorld
  let subprocess: SubprocessRuntime
  beforeAll(async () => {
    world = await testWorld()
    subprocess = world.ctx.subprocess
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const open = async (argv: readonly string[], env: Record<string, string> = {}): Promise<Screen> => {
    const terminal = await subprocess.spawnTerminal({
      argv,
      cwd: world.workspace,
      env: { TERM: 'dumb', PS1: '$ ', ...env },
      rows: 30,
      cols: 90,
      graceMs: 300,
    })
    let text = ''
    terminal.output.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return {
      terminal,
      text: () => text,
      shows: (pattern) => until(`the terminal shows ${pattern}`, () => (pattern.test(text) ? true : undefined)),
    }
  }
  const openShell = (): Promise<Screen> => open(['/bin/bash', '--noprofile', '--norc', '-i'])

  it('is a real one, of the size that was asked for, in the workspace', async () => {
    const { terminal, shows } = await openShell()
    await terminal.write('tty; stty size; pwd\r')
    await shows(/\/dev\/pts\/\d+\r\n30 90\r\n\/.*dsh-sandbox-docker-/)
    await terminal.terminate()
  })

  it('tells which group is in the foreground, and signals it', async () => {
    const { terminal, shows } = await openShell()
    await shows(/\$ $/)
    const shell = await until('the shell waits', async () => {
      const foreground = await terminal.inspectForeground()
      return foreground?.inputWaiting === true ? foreground : undefined
    })
    expect(shell.processGroupId).toBe(terminal.pid)
    await terminal.write('sleep 3607.5; echo "status $?"\r')
    await until('the command is in the foreground', async () => {
      const foreground = await terminal.inspectForeground()
      return foreground !== undefined && foreground.processGroupId !== terminal.pid ? true : undefined
    })
    expect(await terminal.signalForeground('SIGINT')).not.toBe(terminal.pid)
    await until('the shell is back', async () =>
      (await terminal.inspectForeground())?.processGroupId === terminal.pid ? true : undefined,
    )
    await expect(terminal.signalForeground('SIGKILL')).rejects.toMatchObject({ code: 'COMMAND_INVALID' })
    await terminal.terminate()
  })

  it('runs a REPL: input, Ctrl-C, a new size, Ctrl-D', async () => {
    const { terminal, shows } = await open(['python3', '-q', '-i'])
    await shows(/>>> $/)
    await terminal.write('import os, time; print(6 * 7)\r')
    await shows(/42\r\n>>> $/)
    await terminal.write('time.sleep(3600)\r')
    await shows(/sleep\(3600\)\r\n$/)
    await terminal.write('\x03')
    await shows(/KeyboardInterrupt\r\n>>> $/)
    const resizable = terminal as SubprocessTerminalHandle & { resize(rows: number, columns: number): Promise<void> }
    await resizable.resize(20, 60)
    await terminal.write('print(os.get_terminal_size())\r')
    await shows(/columns=60, lines=20/)
    await terminal.write('\x04')
    expect(await terminal.done).toEqual({ exitCode: 0, signal: null })
  })

  it('lets git rebase open an editor', async () => {
    const script = `
      git init -q repo && cd repo && git config user.name N && git config user.email e@x
      for n in 1 2 3; do echo $n > f$n; git add f$n; git commit -qm "commit $n"; done
      GIT_SEQUENCE_EDITOR="sed -i 's/^pick \\(.* commit 3\\)/fixup \\1/'" git rebase -i HEAD~2
      git log --format=%s; echo finished`
    const { shows, text, terminal } = await open(['/bin/bash', '-c', script], { GIT_PAGER: 'cat' })
    await shows(/finished/)
    expect(text()).toMatch(/commit 2\r\ncommit 1\r\nfinished/)
    expect(await terminal.done).toEqual({ exitCode: 0, signal: null })
  })

  it('ends with everything that was started in it', async () => {
    const { terminal, shows } = await openShell()
    await terminal.write('trap "" HUP TERM; setsid sleep 3608.5 & sleep 3608.5 & echo st""arted\r')
    await shows(/started/)
    await terminal.terminate()
    await terminal.terminate()
    expect((await terminal.done).signal).not.toBeNull()
    expect((await run(subprocess, 'pgrep -fc "sleep 360[8]"')).stdout).toBe('0\n')
    await expect(terminal.write('x')).rejects.toMatchObject({ code: 'TERMINAL_ENDED' })
    expect(await terminal.inspectForeground()).toBeUndefined()
  })

  it('is not opened when that was aborted, or cannot be', async () => {
    const spec = { argv: ['bash'], cwd: '/', rows: 24, cols: 80, graceMs: 100 }
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(subprocess.spawnTerminal({ ...spec, signal })).rejects.toMatchObject({ code: 'ABORTED_BEFORE_SPAWN' })
    await expect(subprocess.spawnTerminal({ ...spec, argv: ['/no/such'] })).rejects.toMatchObject({
      code: 'PROGRAM_NOT_FOUND',
    })
  })
})
