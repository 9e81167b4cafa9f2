import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectEngine } from '../../src/engine/discover.ts'
import { DEFAULT_IMAGE } from '../../src/image/default-image.ts'
import { ensureImage } from '../../src/image/ensure-image.ts'
import { ContainerSupervisor } from './container-supervisor.ts'
import { interactiveBash, openTerminal } from './open-terminal.ts'
import { buildSupervisor, run, until } from './supervisor-process.ts'

const endOfFile = '\x04'
const interrupt = '\x03'

describe('a terminal in a container', () => {
  let build: ReturnType<typeof buildSupervisor>
  let session: ContainerSupervisor

  beforeAll(async () => {
    const engine = await connectEngine()
    await ensureImage(engine, { reference: DEFAULT_IMAGE, pull: 'missing' })
    build = buildSupervisor('amd64')
    session = await ContainerSupervisor.start(new Docker({ socketPath: engine.endpoint.socketPath }), build.path)
  })
  afterAll(async () => {
    await session[Symbol.asyncDispose]()
    build.remove()
  })

  it('is there for every user, without a capability and on a root that is read-only', async () => {
    expect(await session.connection.hello).toMatchObject({ terminalErrno: 0 })
    for (const uid of [1000, 0]) {
      const argv = [
        'bash',
        '-c',
        'stat -c "%u" "$(tty)"; grep CapEff /proc/self/status; touch /x; : >/dev/tty && echo own',
      ]
      const { shows, terminal } = await openTerminal(session, argv, { uid, gid: uid })
      await shows(new RegExp(`^${uid}\r\nCapEff:\t0{16}\r\n.*Read-only file system\r\nown\r\n`))
      await terminal.gone
    }
  })

  it('serves a REPL: Ctrl-C interrupts, a resize arrives, Ctrl-D ends it', async () => {
    const { terminal, shows } = await openTerminal(session, ['python3', '-q', '-i'])
    await shows(/>>> $/)
    await until(async () => (await terminal.inspectForeground())?.isWaitingForInput === true)
    await terminal.write('6 * 7\n')
    await shows(/\n42\r\n>>> $/)
    await terminal.write('import os, time; print("going"); time.sleep(600)\n')
    await shows(/\ngoing\r\n/)
    await terminal.write(interrupt)
    await shows(/KeyboardInterrupt\r\n>>> $/)
    await terminal.resize({ rows: 33, columns: 111 })
    await terminal.write('os.get_terminal_size()\n')
    await shows(/columns=111, lines=33/)
    await terminal.write(endOfFile)
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 0, signal: null })
    await terminal.gone
  })

  it.each([
    ['poll', 'import select; p = select.poll(); p.register(0, select.POLLIN); p.poll()', true],
    [
      'poll, for another file',
      'import select, os; r, w = os.pipe(); p = select.poll(); p.register(r, 1); p.poll()',
      false,
    ],
    ['epoll', 'import select; p = select.epoll(); p.register(0, select.EPOLLIN); p.poll()', true],
    [
      'epoll, for another file',
      'import select, os; r, w = os.pipe(); p = select.epoll(); p.register(r, 1); p.poll()',
      false,
    ],
    ['select', 'import select; select.select([0], [], [])', true],
    ['select, for errors alone', 'import select; select.select([], [], [0])', false],
    [
      'a thread that reads',
      'import threading, os; threading.Thread(target=os.read, args=(0, 1)).start(); threading.Event().wait()',
      true,
    ],
  ])('knows who waits for its input by %s', async (_, program, isWaiting) => {
    const { terminal } = await openTerminal(session, ['python3', '-c', `print("up", flush=True)\n${program}`])
    await until(async () => (await run(session, `grep -c '^State:.S' /proc/${terminal.pid}/status`)).stdout === '1\n')
    const waits = async () => (await terminal.inspectForeground())!.isWaitingForInput
    if (isWaiting) await until(waits)
    else {
      // Where it is blocked for good.
      const wchan = `cat /proc/${terminal.pid}/wchan`
      await until(async () =>
        /poll|select|epoll|wait/.test((await run(session, wchan, { uid: 4242, gid: 4242 })).stdout),
      )
      expect(await waits()).toBe(false)
    }
    await terminal.terminate(0)
  })

  it('rebases with an editor that is a script', async () => {
    const script = `
      cd "$(mktemp -d)" && git init -q . && git config user.name n && git config user.email e
      for name in one two three; do echo $name >$name; git add $name; git commit -qm $name; done
      GIT_SEQUENCE_EDITOR='test -t 0 && test -t 1 && sed -i -e "2s/^pick/reword/"' GIT_EDITOR='echo changed >' \
        git rebase -i --root
      git log --format=%s`
    const { terminal, text, ended } = await openTerminal(session, ['bash', '-c', script], {
      env: { PATH: '/usr/bin:/bin', TERM: 'xterm', HOME: '/tmp', GIT_PAGER: 'cat' },
    })
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 0 })
    await ended
    expect(text()).toMatch(/Successfully rebased[^\n]*\nthree\r\nchanged\r\none\r\n$/)
  })

  it('ends whole, with what left its session', async () => {
    const { terminal, shows } = await openTerminal(session, interactiveBash)
    await terminal.write(
      'trap "" HUP TERM; (setsid sleep 600 &); setsid -f bash -c "trap \\"\\" HUP TERM; sleep 600"; echo re""ady\n',
    )
    await shows(/ready/)
    await terminal.terminate(50)
    expect((await run(session, 'cat /proc/[0-9]*/comm | grep -c sleep; true')).stdout).toBe('0\n')
  })

  it('ends with its session', async () => {
    const { terminal, ended } = await openTerminal(session, interactiveBash)
    await session[Symbol.asyncDispose]()
    await expect(terminal.exited).rejects.toMatchObject({ code: 'SESSION_LOST' })
    await ended
  })
})
