import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cli, jsonOf } from './support/cli.ts'
import { workspaceFolder } from './support/folder.ts'

describe('bash-docker run', () => {
  it('runs one word as bash code, in the current folder, and exits as it does', async () => {
    const cwd = workspaceFolder()
    writeFileSync(join(cwd, 'there'), '')
    const end = await cli(['run', 'pwd; ls; echo "$((6 * 7))" >&2; exit 7'], { cwd })
    expect(end).toMatchObject({ status: 7, stderr: '42\n' })
    expect(end.stdout.toString()).toBe(`${cwd}\nthere\n`)
  })

  it('runs several words as they stand', async () => {
    const words = ['printf', '<%s>', '$HOME', 'a b', "it's", '*', '--', '--json', '']
    const { status, stdout } = await cli(['run', ...words], { cwd: workspaceFolder() })
    expect(stdout.toString()).toBe("<$HOME><a b><it's><*><--><--json><>")
    expect(status).toBe(0)
  })

  it('takes options up to --', async () => {
    const { stdout } = await cli(['run', '--workdir', '/usr', '--', 'pwd'], { cwd: workspaceFolder() })
    expect(stdout.toString()).toBe('/usr\n')
  })

  it('prints nothing of its own when it is no terminal that reads', async () => {
    expect(await cli(['run', 'true'], { cwd: workspaceFolder() })).toMatchObject({
      status: 0,
      stdout: Buffer.alloc(0),
      stderr: '',
    })
  })

  it('runs as the owner of the folder, in a container of its own', async () => {
    const { stdout } = await cli(['run', 'id -u; id -g; hostname; echo $HOME'], { cwd: workspaceFolder() })
    expect(stdout.toString()).toBe('1000\n1000\nsandbox\n/home/sandbox\n')
  })

  it('takes its limits from the options', async () => {
    const options = [
      '--memory=64m',
      '--pids=32',
      '--tmp=1m',
      '--open-files=77',
      '--user=1234:55',
      '--shm=2m',
      '--home=3m',
      // The folder of the test is closed to that user.
      '--workspace=none',
    ]
    const script = `
      ulimit -n; id -u; id -g
      df -B1 --output=size /tmp /dev/shm ~ | tail -n 3
      cat /sys/fs/cgroup/{pids/pids.max,memory/memory.limit_in_bytes,pids.max,memory.max} 2>/dev/null`
    const { stdout } = await cli(['run', ...options, '--', script], { cwd: workspaceFolder() })
    const sizes = ['1048576', '2097152', '3145728']
    expect(stdout.toString().match(/\d+/g)).toEqual(['77', '1234', '55', ...sizes, '32', '67108864'])
  })

  it('keeps the result on one line whatever a reader takes for a line', async () => {
    const end = await cli(['run', '--json', '--', String.raw`printf 'a\u0085b\u2028c\u2029d'`], {
      cwd: workspaceFolder(),
    })
    const text = end.stdout.toString()
    expect(text).not.toMatch(/[\u0085\u2028\u2029]/)
    expect(JSON.parse(text)).toMatchObject({ stdout: { text: 'a\u0085b\u2028c\u2029d' } })
  })

  it('says with --json how the command ended, where and how long it took, on one line', async () => {
    const cwd = workspaceFolder()
    const end = await cli(['run', '--json', '--', String.raw`printf 'a\xffb\n'; echo no >&2; exit 3`], { cwd })
    expect(end).toMatchObject({ status: 3, stderr: '' })
    expect(jsonOf(end)).toEqual({
      exitCode: 3,
      signal: null,
      timedOut: false,
      aborted: false,
      timeoutMs: 120_000,
      stdout: { text: 'a\uFFFDb\n', truncated: false, base64: Buffer.from('a\xffb\n', 'latin1').toString('base64') },
      stderr: { text: 'no\n', truncated: false },
      usage: {
        wallMs: expect.any(Number),
        userCpuMs: expect.any(Number),
        systemCpuMs: expect.any(Number),
        maxRssBytes: expect.any(Number),
      },
      sandbox: { kind: 'docker', sessionId: expect.any(String), image: expect.any(String) },
      session: {
        id: expect.any(String),
        image: expect.any(String),
        container: expect.stringMatching(/^bash-docker-/),
        containerId: expect.stringMatching(/^[0-9a-f]{64}$/),
        user: { uid: 1000, gid: 1000 },
        workspace: { path: cwd, access: 'read-only' },
      },
      timings: {
        connectMs: expect.any(Number),
        imageMs: expect.any(Number),
        sessionMs: expect.any(Number),
        commandMs: expect.any(Number),
        totalMs: expect.any(Number),
      },
    })
  })

  it('keeps the tail of a longer stream with --json, and says that it is one', async () => {
    const args = ['run', '--json', '--max-output=5', '--workspace=none', '--', 'printf 1234567']
    const report = jsonOf(await cli(args, { cwd: workspaceFolder() }))
    expect(report['stdout']).toMatchObject({ text: '34567', truncated: true, totalBytes: 7 })
    expect(report['session']).toMatchObject({ workspace: null })
  })

  it('prints help and version', async () => {
    const cwd = workspaceFolder()
    const version = await cli(['--version'], { cwd })
    expect(version.stdout.toString()).toMatch(/^\d+\.\d+\.\d+\n$/)
    for (const args of [['--help'], ['-h'], ['run', '--help'], ['ps', '-h'], ['gc', '--help'], ['doctor', '--help']]) {
      const help = await cli(args, { cwd })
      expect(help, args.join(' ')).toMatchObject({ status: 0, stderr: '' })
      expect(help.stdout.toString()).toMatch(/^Usage: bash-docker /)
    }
  })
})
