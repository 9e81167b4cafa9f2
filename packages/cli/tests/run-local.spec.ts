import { readFileSync, readlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cli, jsonOf, startCli, endOf } from './support/cli.ts'
import { workspaceFolder } from './support/folder.ts'

/** No engine is there to fall back on, or to be used. */
const env = { DOCKER_HOST: 'unix:///nowhere/docker.sock' }

describe('bash-docker run --local', () => {
  it('runs on this host, in the current folder', async () => {
    const cwd = workspaceFolder()
    const script = 'pwd; readlink /proc/self/ns/mnt; echo "$PPID"; exit 9'
    const child = startCli(['run', '--local', '--', script], { cwd, env })
    const { status, stdout, stderr } = await endOf(child)
    expect({ status, stderr }).toEqual({ status: 9, stderr: '' })
    expect(stdout.toString()).toBe(`${cwd}\n${readlinkSync('/proc/self/ns/mnt')}\n${child.pid}\n`)
  })

  it('has the same exit statuses, input and JSON', async () => {
    const cwd = workspaceFolder()
    expect(await cli(['run', '--local', '--timeout=200', '--', 'sleep 600'], { cwd })).toMatchObject({ status: 124 })
    expect(await cli(['run', '--local', '--', 'kill -9 $$'], { cwd })).toMatchObject({ status: 137 })
    const end = await cli(['run', '--local', '--json', '--stdin=-', '--', 'cat'], { cwd, stdin: Buffer.from('in') })
    expect(jsonOf(end)).toMatchObject({ exitCode: 0, stdout: { text: 'in' }, session: null })
  })

  it.each(['--image=x', '--network=x', '--write', '--memory=1g', '--engine=x', '--inherit=none'])(
    'refuses %s, which it could not keep',
    async (option) => {
      const end = await cli(['run', '--local', option, '--', 'true'], { cwd: workspaceFolder(), env })
      expect(end.status).toBe(125)
      expect(end.stderr).toContain('(USAGE)')
      expect(end.stderr).toContain(option.replace(/=.*/, ''))
    },
  )
})

it('nothing else runs on this host, not even when there is no engine', async () => {
  const cwd = workspaceFolder()
  const end = await cli(['run', '--write', '--', 'touch made'], { cwd, env })
  expect(end).toMatchObject({ status: 125 })
  expect(end.stderr).toContain('(ENGINE_UNREACHABLE)')
  expect(() => readFileSync(`${cwd}/made`)).toThrow('ENOENT')
})
