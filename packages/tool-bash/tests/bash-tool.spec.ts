import { SandboxError } from 'dsh-bash-error'
import { describe, expect, it } from 'vitest'
import { bashTool } from '../src/index.ts'
import { anonymous, callBy, inBackground, running } from './support/calls.ts'
import { runResult, scriptedBash } from './support/scripted-bash-executor.ts'

describe('the request of bash', () => {
  it('is the command, its working directory, its timeout, the signal and the owner', async () => {
    const bash = await scriptedBash()
    const { signal } = new AbortController()
    const args = running('make', { timeoutMs: 5000, workdir: '/elsewhere' })
    await bashTool(bash).execute(args, { ...callBy('session-a', '/work'), signal })
    expect(bash.requests).toEqual([
      { command: 'make', workdir: '/elsewhere', timeoutMs: 5000, signal, owner: 'session-a' },
    ])
  })

  it('leaves out what nobody gave', async () => {
    const bash = await scriptedBash()
    await bashTool(bash).execute(running('true'), anonymous)
    expect(bash.requests.map((request) => Object.keys(request))).toEqual([['command']])
  })

  it.each([
    { workdir: undefined, cwd: '/work', expected: '/work' },
    { workdir: '', cwd: '/work', expected: '/work' },
    { workdir: 'src/../lib', cwd: '/work', expected: '/work/lib' },
    { workdir: '/etc', cwd: '/work', expected: '/etc' },
    { workdir: undefined, cwd: undefined, expected: undefined },
    { workdir: 'src', cwd: undefined, expected: 'src' },
  ])('runs workdir $workdir of a session in $cwd in $expected', async ({ workdir, cwd, expected }) => {
    const bash = await scriptedBash()
    await bashTool(bash).execute(running('pwd', workdir === undefined ? {} : { workdir }), callBy('session-a', cwd))
    expect(bash.requests[0]?.workdir).toBe(expected)
  })

  it('has the session as owner in the foreground and in the background', async () => {
    const bash = await scriptedBash()
    await bashTool(bash).execute(running('true'), callBy('session-a'))
    await bashTool(bash).execute(inBackground('true'), callBy('session-a'))
    expect(bash.specs.map((spec) => spec.owner)).toEqual(['session-a', 'session-a'])
  })

  it('keeps the signal of the call from a background task, which outlives it', async () => {
    const bash = await scriptedBash()
    await bashTool(bash).execute(inBackground('sleep 9'), { signal: new AbortController().signal })
    expect(bash.specs.map((spec) => 'signal' in spec)).toEqual([false])
  })
})

describe('bash refuses', () => {
  it.each([
    [{ command: ' \n', description: 'x' }, 'invalid command: expected a non-empty string'],
    [{ description: 'x' }, 'invalid command: expected a non-empty string'],
    [{ command: ['ls'], description: 'x' }, 'invalid command: expected a non-empty string'],
    [{ command: 'ls', description: '\t' }, 'invalid description: expected a non-empty string'],
    [{ command: 'ls' }, 'invalid description: expected a non-empty string'],
    [running('ls', { timeoutMs: 0 }), 'invalid timeoutMs: expected a positive number, got 0'],
    [running('ls', { timeoutMs: -5 }), 'invalid timeoutMs: expected a positive number, got -5'],
    [running('ls', { timeoutMs: Infinity }), 'invalid timeoutMs: expected a positive number, got Infinity'],
    [running('ls', { timeoutMs: 'soon' }), 'invalid timeoutMs: expected a positive number, got soon'],
    [running('ls', { workdir: 3 }), 'invalid workdir: expected a string'],
    [running('ls', { run_in_background: 'yes' }), 'invalid run_in_background: expected true or false'],
    ['ls', 'invalid arguments: expected an object'],
    [
      { command: '', timeoutMs: NaN },
      'invalid command: expected a non-empty string; invalid description: expected a non-empty string; ' +
        'invalid timeoutMs: expected a positive number, got NaN',
    ],
  ])('%j: %s', async (args, message) => {
    const bash = await scriptedBash()
    await expect(bashTool(bash).execute(args, anonymous)).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID', message })
    expect(bash.requests).toEqual([])
  })
})

describe('bash throws', () => {
  it('what the executor throws when the command could not be run', async () => {
    const bash = await scriptedBash()
    const failure = new SandboxError('WORKDIR_NOT_FOUND', 'ENOENT: no such directory: /gone')
    bash.answer = () => Promise.reject(failure)
    await expect(bashTool(bash).execute(running('ls'), anonymous)).rejects.toBe(failure)
  })

  const aborted = { code: 'COMMAND_ABORTED', message: 'command aborted' }

  it.each([running('ls'), inBackground('ls')])('for a call that was aborted before it began: %j', async (args) => {
    const bash = await scriptedBash()
    await expect(bashTool(bash).execute(args, { signal: AbortSignal.abort() })).rejects.toMatchObject(aborted)
    expect(bash.specs).toEqual([])
  })

  it('for a command that was aborted before it existed', async () => {
    const bash = await scriptedBash()
    const cause = new SandboxError('ABORTED_BEFORE_SPAWN', 'aborted before spawn: enough')
    bash.answer = () => Promise.reject(cause)
    await expect(bashTool(bash).execute(running('ls'), anonymous)).rejects.toMatchObject({ ...aborted, cause })
  })

  it('for a command that was aborted while it ran', async () => {
    const bash = await scriptedBash()
    const controller = new AbortController()
    bash.answer = async () => {
      controller.abort('enough')
      return runResult({ aborted: true, exitCode: null, signal: 'SIGTERM' })
    }
    const call = bashTool(bash).execute(running('sleep 9'), { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ ...aborted, cause: 'enough' })
  })
})
