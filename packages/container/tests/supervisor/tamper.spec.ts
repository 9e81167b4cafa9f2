import { readFileSync, statSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildSupervisor, processesBelow, run, start, SupervisorProcess, until } from './supervisor-process.ts'
import { useSupervisor } from './use-supervisor.ts'

describe.each([
  ['another uid', 4242],
  ['uid 0', 0],
] as const)('a command of %s', (_, uid) => {
  let supervisor: SupervisorProcess
  useSupervisor('amd64', (started) => (supervisor = started))
  beforeAll(() => supervisor.connection.hello)

  const attempt = (script: string) => run(supervisor, script, { uid, gid: uid })

  it.each([
    ['write to its descriptors', 'for fd in 0 1 2 3 4 5 6; do echo forged >/proc/1/fd/$fd && echo WROTE; done'],
    ['list its descriptors', 'ls /proc/1/fd/ && echo LISTED'],
    ['read its memory', 'head -c 1 /proc/1/mem && echo READ; cat /proc/1/maps && echo READ'],
    ['write its memory', 'echo x >/proc/1/mem && echo WROTE'],
    ['read its environment', 'cat /proc/1/environ && echo READ'],
    ['raise its out-of-memory score', 'echo 1000 >/proc/1/oom_score_adj && echo WROTE'],
    ['kill it', 'for s in KILL STOP TERM HUP SEGV CHLD; do kill -$s 1 && echo SENT; done'],
    ['limit it', 'prlimit --pid 1 --nofile=3 && echo LIMITED'],
  ])('cannot %s', async (_what, script) => {
    const { stdout } = await attempt(`${script}; true`)
    expect(stdout).toBe('')
    await supervisor.connection.ping()
  })

  it('can do nothing to the keeper of a command', async () => {
    const { command } = start(supervisor, 'sleep 600', { uid, gid: uid })
    await command.started
    const script = `
      for status in /proc/[0-9]*/comm; do
        pid=\${status#/proc/}; pid=\${pid%/comm}
        [ "$(cat $status)" = keeper ] || continue
        echo found
        kill -KILL $pid && echo KILLED; kill -STOP $pid && echo STOPPED
        ls /proc/$pid/fd/ && echo LISTED; echo 999 >/proc/$pid/oom_score_adj && echo WROTE; head -c 1 /proc/$pid/mem && echo READ; cat /proc/$pid/environ && echo READ
      done 2>/dev/null; true`
    expect(new Set((await attempt(script)).stdout.trim().split('\n'))).toEqual(new Set(['found']))
    expect(await command.signalTree(9)).toMatchObject({ remaining: 0 })
  })

  it('ends no other than commands with kill -9 -1', async () => {
    const other = start(supervisor, 'sleep 600', { uid: 4299, gid: 4299 })
    await other.command.started
    await attempt('kill -9 -1; echo after')
    await supervisor.connection.ping()
    expect(await other.command.signalTree(0)).toMatchObject({ remaining: 1 })
    await other.command.signalTree(9)
    await other.command.gone
  })

  it('cannot forge a frame on its own output', async () => {
    const forged = String.raw`printf '\0\0\0\0\025\0\0\0\001\0\0\0'`
    const { stdout, exit } = await attempt(`${forged}; ${forged} >&2; exit 9`)
    expect(Buffer.from(stdout)).toEqual(Buffer.from('\0\0\0\0\x15\0\0\0\x01\0\0\0'))
    expect(exit.exitCode).toBe(9)
  })

  it('runs under a uid of its own, with the capabilities it needs', () => {
    const status = readFileSync(`/proc/${supervisor.pid}/status`, 'utf8')
    expect(status).toMatch(/^Uid:(\s65529){4}$/m)
    // CAP_KILL, CAP_SETGID, CAP_SETUID, CAP_SETPCAP.
    expect(status).toMatch(/^CapEff:\s00000000000001e0$/m)
    expect(statSync(`/proc/${supervisor.pid}/oom_score_adj`).uid).toBe(65529)
  })

  it('cannot delay an answer by flooding on 20 channels', async () => {
    const floods = Array.from({ length: 20 }, () =>
      start(supervisor, 'while :; do echo flood; echo flood >&2; done & yes & yes >&2', {
        uid,
        gid: uid,
        maxSpillBytes: 0,
      }),
    )
    await Promise.all(floods.map(({ command }) => command.started))
    await until(() => floods.every(({ stdout }) => stdout.bytes > 0))
    for (let i = 0; i < 20; i++) {
      const asked = performance.now()
      await supervisor.connection.ping()
      expect(performance.now() - asked).toBeLessThan(1000)
    }
    expect((await run(supervisor, 'echo through')).stdout).toBe('through\n')
    const receipts = await Promise.all(floods.map(({ command }) => command.signalTree(9)))
    expect(receipts.map(({ remaining }) => remaining)).toEqual(floods.map(() => 0))
    await Promise.all(floods.map(({ command }) => command.drained))
  })
})

describe('the end of the host', () => {
  it('ends every process, however it tries to stay', async () => {
    const build = buildSupervisor('amd64')
    const supervisor = new SupervisorProcess(build.path)
    const running = start(supervisor, 'trap "" HUP TERM; (setsid nohup sleep 600 &) ; echo ready; sleep 600')
    await until(() => running.stdout.text === 'ready\n')
    const pids = [supervisor.pid, ...processesBelow(supervisor.pid).map(({ pid }) => pid)]
    expect(pids.length).toBeGreaterThanOrEqual(4)
    supervisor.child.stdin.destroy()
    expect(await supervisor.exit).toBe(0)
    const alive = pids.filter((pid) => processesBelow(1).some((process) => process.pid === pid))
    expect(alive).toEqual([])
    await supervisor[Symbol.asyncDispose]()
    build.remove()
  })
})
