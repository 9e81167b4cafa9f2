import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endOf, jsonOf, startCli } from './support/cli.ts'
import { EngineWorld } from './support/engine-world.ts'
import { workspaceFolder } from './support/folder.ts'

const engine = await EngineWorld.open()

/** What the program says of bad input, in words and in JSON, seen to leave nothing behind. */
async function refusalOf(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ line: string; error: Record<string, unknown> }> {
  const cwd = workspaceFolder()
  const temporary = workspaceFolder()
  const run = async (...options: string[]) => {
    const child = startCli(['run', ...options, ...args], { cwd, env: { TMPDIR: temporary, ...env } })
    const end = await endOf(child)
    expect(end.status).toBe(125)
    expect(await engine.objectsOf(child.pid)).toEqual([])
    expect(readdirSync(temporary)).toEqual([])
    return end
  }
  const plain = await run()
  expect(plain.stdout.toString()).toBe('')
  const json = await run('--json')
  expect(json.stderr).toBe('')
  const { error, ...rest } = jsonOf(json) as { error: Record<string, unknown> }
  expect(rest).toEqual({})
  return { line: plain.stderr, error }
}

describe('bad input to bash-docker run', () => {
  it.each([
    ['a blank command', ['--', '  \n '], 'COMMAND_BLANK', 'blank'],
    ['an empty command', ['--', ''], 'COMMAND_BLANK', 'blank'],
    ['no command', ['--'], 'USAGE', 'no command'],
    [
      'a command that is longer than an argument can be',
      ['--', ...Array(3).fill('x'.repeat(50_000))],
      'COMMAND_TOO_LARGE',
      '131071',
    ],
    ['a timeout of nothing', ['--timeout=0', '--', 'true'], 'TIMEOUT_INVALID', '--timeout'],
    ['a negative timeout', ['--timeout', '-1', '--', 'true'], 'TIMEOUT_INVALID', '--timeout'],
    ['a timeout in words', ['--timeout=soon', '--', 'true'], 'TIMEOUT_INVALID', '--timeout'],
    ['a variable without a name', ['--env==x', '--', 'true'], 'ENV_INVALID', 'variable'],
    ['an empty variable', ['--env=', '--', 'true'], 'ENV_INVALID', 'variable'],
    ['a relative workdir', ['--workdir=sub', '--', 'true'], 'WORKDIR_INVALID', 'sub'],
    ['a workdir that does not exist', ['--workdir=/no/such', '--', 'true'], 'WORKDIR_NOT_FOUND', 'ENOENT'],
    ['a workdir that is a file', ['--workdir=/etc/passwd', '--', 'true'], 'WORKDIR_NOT_FOUND', '/etc/passwd'],
    ['a workspace that does not exist', ['--workspace=/no/such', '--', 'true'], 'WORKSPACE_NOT_FOUND', '/no/such'],
    ['a workspace of the system', ['--workspace=/', '--', 'true'], 'WORKSPACE_REFUSED', '/'],
    [
      'an image reference that is none',
      ['--image=Not An Image', '--', 'true'],
      'IMAGE_REFERENCE_INVALID',
      'Not An Image',
    ],
    [
      'an image that must not be pulled',
      ['--image=nobody/nothing:1', '--pull=never', '--', 'true'],
      'IMAGE_NOT_FOUND',
      'nobody/nothing:1',
    ],
    [
      'an image that cannot be pulled',
      ['--image=127.0.0.1:1/nothing:1', '--', 'true'],
      'IMAGE_PULL_FAILED',
      '127.0.0.1:1',
    ],
    [
      'an engine that is not there',
      ['--engine=unix:///no/such.sock', '--', 'true'],
      'ENGINE_UNREACHABLE',
      '/no/such.sock',
    ],
    ['an engine that cannot be meant', ['--engine=carrier://pigeon', '--', 'true'], 'ENGINE_UNREACHABLE', 'carrier'],
    ['a context that does not exist', ['--context=nowhere', '--', 'true'], 'CONTEXT_INVALID', 'nowhere'],
    ['a network that does not exist', ['--network=nowhere', '--', 'true'], 'SESSION_START_FAILED', 'nowhere'],
    ['a runtime that does not exist', ['--runtime=nothing', '--', 'true'], 'SESSION_START_FAILED', 'nothing'],
    ['a limit that cannot be kept', ['--memory=1k', '--', 'true'], 'CONFIG_INVALID', 'limits.memoryBytes'],
    ['a size that is none', ['--memory=much', '--', 'true'], 'USAGE', '--memory'],
    ['an unknown option', ['--colour', '--', 'true'], 'USAGE', '--colour'],
    ['an option without its value', ['--image', '--', 'true'], 'USAGE', '--image'],
    ['two engines', ['--engine=x', '--context=y', '--', 'true'], 'USAGE', '--context'],
    ['input from a file that does not exist', ['--stdin=none', '--', 'true'], 'USAGE', 'ENOENT'],
    ['input from a folder', ['--stdin=/', '--', 'true'], 'USAGE', 'directory'],
  ])('%s is one line, an object with --json, and 125', async (_what, args, code, named) => {
    const { line, error } = await refusalOf(args)
    expect(line).toMatch(new RegExp(`^bash-docker: .+ \\(${code}\\)\\. \\S.*\n$`))
    expect(line).toContain(named)
    expect(error).toMatchObject({ code, message: expect.any(String), hint: expect.stringMatching(/\S/) })
  })

  it('an engine that is too old is refused by its version', async () => {
    const socketPath = join(workspaceFolder(), 'old.sock')
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ Version: '19.03.0', ApiVersion: '1.40', MinAPIVersion: '1.12' }))
    }).listen(socketPath)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { line, error } = await refusalOf(['--', 'true'], { DOCKER_HOST: `unix://${socketPath}` })
    expect(line).toMatch(/^bash-docker: .*1\.40.* \(ENGINE_TOO_OLD\)\. .+\n$/)
    expect(error).toMatchObject({ code: 'ENGINE_TOO_OLD' })
  })

  it('no engine at all is an error that lists each candidate, and nothing runs on the host', async () => {
    const home = workspaceFolder()
    const { error } = await refusalOf(['--write', '--', 'touch made'], { DOCKER_HOST: '', HOME: home })
    expect(error).toMatchObject({ code: 'ENGINE_NOT_FOUND', context: { candidates: expect.any(Array) } })
  })
})

describe('bad input to bash-docker', () => {
  it.each([[[]], [['fly']], [['--fly']], [['ps', 'x']], [['gc', '--json=1']]])(
    '%j is one line and 125',
    async (args) => {
      const cwd = workspaceFolder()
      const { status, stdout, stderr } = await endOf(startCli(args, { cwd }))
      expect(status).toBe(125)
      expect(stdout.toString()).toBe('')
      expect(stderr).toMatch(/^bash-docker: .+ \(USAGE\)\. .+\n$/)
    },
  )
})
