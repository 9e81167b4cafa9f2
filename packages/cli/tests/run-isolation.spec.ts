import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cli } from './support/cli.ts'
import { workspaceFolder } from './support/folder.ts'

describe('a command in its container', () => {
  it('reaches no network, that of the host included', async () => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '0.0.0.0')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const script = `cat < /dev/tcp/127.0.0.1/${port}; cat < /dev/tcp/1.1.1.1/53; ls /sys/class/net`
    const { stdout, stderr } = await cli(['run', script], { cwd: workspaceFolder() })
    expect(stdout.toString()).toBe('lo\n')
    expect(stderr).toMatch(/Connection refused[^]*Network is unreachable/)
  })

  it('sees no file of the host beyond the workspace', async () => {
    const cwd = workspaceFolder()
    const outside = join(tmpdir(), `bash-docker-cli-outside-${process.pid}`)
    writeFileSync(outside, 'secret')
    onTestFinished(async () => (await import('node:fs')).rmSync(outside))
    writeFileSync(join(cwd, 'inside'), 'shared')
    const { stdout } = await cli(['run', `cat inside; cat ${outside}; ls /proc | grep -cx ${process.pid}`], { cwd })
    expect(stdout.toString()).toBe('shared0\n')
  })

  it('cannot change the workspace', async () => {
    const cwd = workspaceFolder()
    const { status, stderr } = await cli(['run', 'touch made'], { cwd })
    expect(status).toBe(1)
    expect(stderr).toContain('Read-only file system')
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  it('can with --write, as its owner', async () => {
    const cwd = workspaceFolder()
    expect(await cli(['run', '--write', '--', 'echo text > made'], { cwd })).toMatchObject({ status: 0 })
    expect(readFileSync(join(cwd, 'made'), 'utf8')).toBe('text\n')
    expect(statSync(join(cwd, 'made')).uid).toBe(statSync(cwd).uid)
  })

  it('sees no folder at all with --workspace none', async () => {
    const cwd = workspaceFolder()
    const { stdout } = await cli(['run', '--workspace', 'none', '--', `pwd; ls -d ${cwd} | wc -l`], { cwd })
    expect(stdout.toString()).toBe('/home/sandbox\n0\n')
  })

  it('sees the workspace that is named instead of the current folder', async () => {
    const [cwd, other] = [workspaceFolder(), workspaceFolder()]
    const { stdout } = await cli(['run', '--workspace', other, '--', `pwd; ls -d ${cwd} | wc -l`], { cwd })
    expect(stdout.toString()).toBe(`${other}\n0\n`)
  })
})

describe('the environment of a command', () => {
  const env = { MY_API_KEY: 'ambient', PLAIN_VAR: 'plain', INNOCENT: `ghp_${'x'.repeat(36)}` }
  const script = 'echo "${MY_API_KEY-absent} ${PLAIN_VAR-absent} ${INNOCENT-absent}"'

  it.each([
    ['has no credentials of the caller, and the rest', [], 'absent plain absent'],
    ['has what --env gives, credential-shaped or not', ['--env', 'MY_API_KEY=x'], 'x plain absent'],
    ["has the caller's own that --env names", ['--env=MY_API_KEY', '--env=NOT_THERE'], 'ambient plain absent'],
    ['has nothing of the caller with --inherit none', ['--inherit', 'none'], 'absent absent absent'],
    ['has what --inherit names, and nothing else', ['--inherit=MY_API_KEY,NOT_THERE'], 'ambient absent absent'],
  ])('%s', async (_what, options, line) => {
    const { stdout } = await cli(['run', ...options, '--', script], { cwd: workspaceFolder(), env })
    expect(stdout.toString()).toBe(`${line}\n`)
  })
})
