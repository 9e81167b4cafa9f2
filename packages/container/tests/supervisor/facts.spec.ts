import { describe, expect, it } from 'vitest'
import { run, start, SupervisorProcess } from './supervisor-process.ts'
import { useSupervisor } from './use-supervisor.ts'

describe.each(['amd64', 'sanitized'] as const)('facts of a command (%s build)', (target) => {
  let supervisor: SupervisorProcess
  useSupervisor(target, (started) => (supervisor = started))

  it('says in the hello what the kernel and the container allow', async () => {
    await expect(supervisor.connection.hello).resolves.toMatchObject({
      protocol: 1,
      build: expect.stringMatching(/^[0-9a-f]{64}$/),
      subreaper: true,
      setUid: true,
      setGid: true,
      kill: true,
      guardUid: 65529,
      spillErrno: 0,
    })
  })

  it('reports every exit code', async () => {
    const codes = Array.from({ length: 256 }, (_, code) => code)
    for (let from = 0; from < codes.length; from += 32) {
      const some = codes.slice(from, from + 32)
      const results = await Promise.all(some.map((code) => run(supervisor, `exit ${code}`)))
      expect(results.map(({ exit }) => [exit.exitCode, exit.signal])).toEqual(some.map((code) => [code, null]))
    }
  })

  it.each(['HUP', 'INT', 'QUIT', 'KILL', 'USR1', 'SEGV', 'PIPE', 'ALRM', 'TERM', 'XCPU', 'SYS'])(
    'tells SIG%s from an exit code',
    async (name) => {
      const argv = (script: string) => ({ argv: ['sh', '-c', `ulimit -c 0; ${script}`] })
      const { exit } = await run(supervisor, '', argv(`kill -${name} $$`))
      expect(exit).toMatchObject({ exitCode: null, signal: `SIG${name}`, killedByHost: false })
      const inner = await run(supervisor, '', argv(`sh -c 'kill -${name} $$'; exit $?`))
      expect(inner.exit).toMatchObject({ exitCode: expect.toSatisfy((code) => code > 128), signal: null })
    },
  )

  it('measures a command', async () => {
    const { exit } = await run(supervisor, 'for ((i = 0; i < 200000; i++)); do :; done')
    expect(exit.userCpuMs).toBeGreaterThan(10)
    expect(exit.wallMs).toBeGreaterThanOrEqual(exit.userCpuMs / 2)
    expect(exit.maxRssBytes).toBeGreaterThan(1_000_000)
  })

  it.each([
    ['a directory that is not there', { workdir: '/not/there' }, 'WORKDIR_NOT_FOUND', 'directory', 'ENOENT'],
    ['a directory that is a file', { workdir: '/etc/passwd' }, 'WORKDIR_NOT_FOUND', 'directory', 'ENOTDIR'],
    ['a directory it may not enter', { workdir: '/root' }, 'SPAWN_FAILED', 'directory', 'EACCES'],
    ['a program that is not there', { argv: ['/bin/nope'] }, 'SHELL_NOT_FOUND', 'exec', 'ENOENT'],
    ['a name that is not in PATH', { argv: ['nope'] }, 'SHELL_NOT_FOUND', 'exec', 'ENOENT'],
    ['a program that is none', { argv: ['/etc/passwd'] }, 'SPAWN_FAILED', 'exec', 'EACCES'],
    [
      'an argument past the kernel’s limit',
      { argv: ['bash', '-c', 'x'.repeat(131_072)] },
      'COMMAND_TOO_LARGE',
      'exec',
      'E2BIG',
    ],
    ['the guard’s own uid', { uid: 65529 }, 'SPAWN_FAILED', 'identity', 'EPERM'],
    [
      'a limit nobody knows',
      { resourceLimits: [{ resource: 99, soft: 1n, hard: 1n }] },
      'SPAWN_FAILED',
      'rlimit',
      'EINVAL',
    ],
  ])('names the stage and errno for %s', async (_, changes, code, stage, errno) => {
    const { command } = start(supervisor, 'true', changes)
    await expect(command.started).rejects.toMatchObject({ code, context: { stage, errno } })
    await expect(command.exited).rejects.toMatchObject({ code })
  })

  it('runs an argument just below the kernel’s limit, and a large environment', async () => {
    const env = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`V${i}`, 'x'.repeat(100_000)]))
    const { stdout } = await run(supervisor, `:${' '.repeat(131_000)}; echo "\${#V13}"`, {
      env: { ...env, PATH: '/usr/bin:/bin' },
    })
    expect(stdout).toBe('100000\n')
  })

  it('gives a command the identity asked for and nothing of the supervisor', async () => {
    const script =
      'id -u; id -g; id -G; umask; pwd; cut -d" " -f5,6 /proc/$$/stat; echo $$; env; ls /proc/$$/fd; readlink /proc/$$/fd/0; grep -E "^(Sig(Blk|Ign)|Cap|NoNew)" /proc/self/status'
    const { stdout } = await run(supervisor, script, { workdir: '/tmp', umask: 0o027, env: { PATH: '/bin', A: 'b c' } })
    const lines = stdout.trim().split('\n')
    const [uid, gid, groups, umask, directory, ids, pid] = lines
    expect([uid, gid, groups, umask, directory]).toEqual(['4242', '4242', '4242', '0027', '/tmp'])
    expect(ids).toBe(`${pid} ${pid}`)
    expect(lines).toContain('A=b c')
    expect(lines).toContain('/dev/null')
    for (const name of ['SigBlk', 'SigIgn', 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
      expect(lines).toContain(`${name}:\t0000000000000000`)
    }
    expect(lines).toContain('NoNewPrivs:\t1')
    const descriptors = lines.filter((line) => /^\d{1,2}$/.test(line) && Number(line) < 20)
    expect(descriptors.toSorted()).toEqual(['0', '1', '2'])
  })

  it('holds a command of uid 0 to the same', async () => {
    const { stdout } = await run(supervisor, 'id -u; grep -E "^Cap(Prm|Eff)|^NoNew" /proc/self/status', {
      uid: 0,
      gid: 0,
    })
    expect(stdout).toBe('0\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n')
  })

  it('sets resource limits', async () => {
    const { stdout } = await run(supervisor, 'ulimit -n', { resourceLimits: [{ resource: 7, soft: 64n, hard: 64n }] })
    expect(stdout).toBe('64\n')
  })

  it('runs no more commands at once than it was told', async () => {
    await using small = new SupervisorProcess(supervisor.binary, ['--max-commands', '2'])
    const running = [start(small, 'sleep 60'), start(small, 'sleep 60')]
    await expect(start(small, 'true').command.started).rejects.toMatchObject({ context: { stage: 'limit' } })
    await running[0]!.command.signalTree(9)
    await running[0]!.command.drained
    expect((await run(small, 'echo again')).stdout).toBe('again\n')
  })
})
