import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectEngine } from '../../src/engine/discover.ts'
import { DEFAULT_IMAGE } from '../../src/image/default-image.ts'
import { ensureImage } from '../../src/image/ensure-image.ts'
import { containerLimits, ContainerSupervisor } from './container-supervisor.ts'
import { buildSupervisor, run, start, until } from './supervisor-process.ts'

describe('the supervisor in a container', () => {
  let docker: Docker
  let build: ReturnType<typeof buildSupervisor>
  let session: ContainerSupervisor

  beforeAll(async () => {
    const engine = await connectEngine()
    await ensureImage(engine, { reference: DEFAULT_IMAGE, pull: 'missing' })
    docker = new Docker({ socketPath: engine.endpoint.socketPath })
    build = buildSupervisor('amd64')
    session = await ContainerSupervisor.start(docker, build.path)
  })
  afterAll(async () => {
    await session[Symbol.asyncDispose]()
    build.remove()
  })

  it('finds the limits of the container', async () => {
    await expect(session.connection.hello).resolves.toMatchObject({
      subreaper: true,
      guardUid: 65529,
      setUid: true,
      setGid: true,
      kill: true,
      dropBounding: false,
      noNewPrivs: true,
      ...containerLimits,
      spillErrno: 0,
    })
  })

  it.each([1000, 0])('runs commands of uid %i without a capability', async (uid) => {
    const script = 'id -u; grep -E "^Cap(Inh|Prm|Eff|Amb)" /proc/self/status; grep Seccomp: /proc/self/status; exit 3'
    const { stdout, exit } = await run(session, script, { uid, gid: uid })
    expect(stdout).toBe(
      [uid, ...['Inh', 'Prm', 'Eff', 'Amb'].map((name) => `Cap${name}:\t0000000000000000`), 'Seccomp:\t2', ''].join(
        '\n',
      ),
    )
    expect(exit.exitCode).toBe(3)
  })

  it.each([1000, 0])('is out of reach of uid %i', async (uid) => {
    const script = `
      for fd in 0 1 2; do echo x >/proc/1/fd/$fd && echo WROTE; done
      ls /proc/1/fd/ && echo LISTED; head -c1 /proc/1/mem && echo READ; cat /proc/1/environ && echo READ
      for s in KILL STOP TERM; do kill -$s 1 && echo SENT; done
      echo 1000 >/proc/1/oom_score_adj && echo WROTE
      echo x >/supervisor && echo WROTE
      rm -rf /run/spill; touch /run/spill/x && echo WROTE
      chmod 777 /run/spill && echo OPENED
      exit 0`
    expect((await run(session, script, { uid, gid: uid })).stdout).toBe('')
    await session.connection.ping()
  })

  it('spills into the container, and streams it back', async () => {
    const { ends } = await run(session, 'seq 1 100000', { uid: 0, gid: 0 })
    const { stdout } = await run(session, `sha256sum <${ends.stdout.spillPath}; ls -ln ${ends.stdout.spillPath}`)
    expect(stdout).toMatch(/^\S+ {2}-\n-r--r--r-- 1 65529 /)
    let bytes = 0
    for await (const chunk of session.connection.readSpill(ends.stdout.spillPath!)) bytes += chunk.length
    expect(bytes).toBe(ends.stdout.totalBytes)
  })

  it('says when memory ran out', async () => {
    const bomb = 'x=x; while :; do x=$x$x; done'
    const { exit } = await run(session, bomb, { uid: 1000, gid: 1000 })
    expect(exit).toMatchObject({ exitCode: null, signal: 'SIGKILL', killedByHost: false })
    expect(exit.oomKills).toBeGreaterThan(0)
    expect((await run(session, 'echo alive')).exit).toMatchObject({ exitCode: 0, oomKills: 0 })
  })

  it('answers through a fork bomb and ends it', async () => {
    const { command, stderr } = start(session, ':() { : | : & }; :; sleep 600', { maxSpillBytes: 0 })
    await until(async () => (await command.signalTree(0)).remaining > 20)
    // Killed before it met the limit it would have been denied nothing.
    await until(() => stderr.text.includes('fork: retry: Resource temporarily unavailable'))
    await session.connection.ping()
    let receipt = await command.signalTree(9)
    for (let i = 0; i < 5 && receipt.remaining > 0; i++) receipt = await command.signalTree(9)
    expect(receipt.remaining).toBe(0)
    const exit = await command.exited
    expect(exit.pidsDenied).toBeGreaterThan(0)
    expect((await run(session, 'echo alive')).stdout).toBe('alive\n')
  })

  it('refuses a command with the stage when the pids limit leaves none', async () => {
    const full = start(session, 'while sleep 600 & do :; done; wait')
    await until(async () => (await full.command.signalTree(0)).remaining > 80)
    await until(async () => {
      const extra = start(session, 'sleep 600')
      const failure = await extra.command.started.then(
        () => undefined,
        (error: { context: { stage: string; errno: string } }) => error.context,
      )
      if (failure === undefined) return false
      expect(failure).toMatchObject({ stage: 'fork', errno: 'EAGAIN' })
      return true
    })
    expect(await full.command.signalTree(9)).toMatchObject({ remaining: 0 })
  })

  it('ends with its stream, and leaves no container', async () => {
    const other = await ContainerSupervisor.start(docker, build.path)
    const { command } = start(other, 'trap "" TERM HUP; (setsid sleep 600 &); sleep 600')
    await command.started
    await other[Symbol.asyncDispose]()
    await expect(command.exited).rejects.toMatchObject({ code: 'SESSION_LOST' })
    expect(await other.exists()).toBe(false)
  })
})
