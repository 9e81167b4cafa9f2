import { describe, expect, it } from 'vitest'
import { bashKillTool, bashOutputTool, bashTool, type ToolCall } from '../src/index.ts'
import { anonymous, callBy, inBackground } from './support/calls.ts'
import { type ScriptedBashExecutor, scriptedBash } from './support/scripted-bash-executor.ts'

const task = { task_id: 'bash-1' }

async function start(bash: ScriptedBashExecutor, call: ToolCall = anonymous): Promise<string> {
  const tool = bashTool(bash)
  return tool.render(await tool.execute(inBackground('serve'), call))
}

async function read(bash: ScriptedBashExecutor, call: ToolCall = anonymous): Promise<string> {
  const tool = bashOutputTool(bash)
  return tool.render(await tool.execute(task, call))
}

async function kill(bash: ScriptedBashExecutor, call: ToolCall = anonymous): Promise<string> {
  const tool = bashKillTool(bash)
  return tool.render(await tool.execute(task, call))
}

describe('a background task', () => {
  it('is started and named', async () => {
    expect(await start(await scriptedBash())).toBe('started background task bash-1')
  })

  it('is read with its new output and its status', async () => {
    const bash = await scriptedBash()
    await start(bash)
    bash.nextRead = { delta: 'listening\n', lossy: false }
    expect(await read(bash)).toBe('listening\n[status: running]')
  })

  it('says when there is no new output', async () => {
    const bash = await scriptedBash()
    await start(bash)
    bash.end('bash-1', { exitCode: 2 })
    expect(await read(bash)).toBe('(no new output)\n[status: completed, exit code: 2]')
  })

  it('notes output that was dropped, with the paths of the whole', async () => {
    const bash = await scriptedBash()
    await start(bash)
    bash.nextRead = { delta: 'tail', lossy: true, stdoutSpillPath: '/spill/out', stderrSpillPath: '/spill/err' }
    expect(await read(bash)).toBe(
      'tail\n[some output was dropped from memory; full output: /spill/out, /spill/err]\n[status: running]',
    )
  })

  it('notes dropped output that is nowhere', async () => {
    const bash = await scriptedBash()
    await start(bash)
    bash.nextRead = { delta: '', lossy: true }
    expect(await read(bash)).toBe(
      '[some output was dropped from memory; full output: (unavailable)]\n[status: running]',
    )
  })

  it('is killed once, and says by what', async () => {
    const bash = await scriptedBash()
    await start(bash)
    expect(await kill(bash)).toBe('killed background task bash-1')
    expect(await read(bash)).toBe('(no new output)\n[status: killed]')
    bash.end('bash-1', { signal: 'SIGTERM' })
    expect(await read(bash)).toBe('(no new output)\n[status: killed by SIGTERM]')
    expect(await kill(bash)).toBe('background task bash-1 had already ended [status: killed by SIGTERM]')
  })

  it('is killed without its output being read', async () => {
    const bash = await scriptedBash()
    await start(bash)
    bash.readOutput = () => expect.unreachable('a kill must leave the output for the next read')
    await kill(bash)
  })

  it('shows a signal that was not ours', async () => {
    const bash = await scriptedBash()
    await start(bash)
    bash.end('bash-1', { signal: 'SIGSEGV' })
    expect(await read(bash)).toBe('(no new output)\n[status: completed, signal: SIGSEGV]')
  })

  it('must exist', async () => {
    const unknown = { code: 'TASK_UNKNOWN', message: 'unknown bash task "bash-1"' }
    await expect(read(await scriptedBash())).rejects.toMatchObject(unknown)
    await expect(kill(await scriptedBash())).rejects.toMatchObject(unknown)
  })

  it.each([bashOutputTool, bashKillTool])('must be named to $name', async (toolOver) => {
    const call = toolOver(await scriptedBash()).execute({ task_id: ' ' }, anonymous)
    await expect(call).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
      message: 'invalid task_id: expected a non-empty string',
    })
  })
})

describe.each([
  ['bash_output', read],
  ['bash_kill', kill],
])('the fence of %s', (_, touch) => {
  it.each<[string, ToolCall, ToolCall]>([
    ['the session that owns it', callBy('session-a'), callBy('session-a')],
    ['anyone when it has no owner', anonymous, callBy('session-b')],
    ['a caller without identity when it has no owner', anonymous, anonymous],
    ['the session with the empty name that owns it', callBy(''), callBy('')],
  ])('lets %s through', async (_, starter, toucher) => {
    const bash = await scriptedBash()
    await start(bash, starter)
    await touch(bash, toucher)
  })

  it.each<[string, ToolCall, ToolCall]>([
    ['another session', callBy('session-a'), callBy('session-b')],
    ['a caller without identity', callBy('session-a'), anonymous],
    ['a caller without identity from a task of the session with the empty name', callBy(''), anonymous],
  ])('keeps %s out', async (_, starter, toucher) => {
    const bash = await scriptedBash()
    await start(bash, starter)
    await expect(touch(bash, toucher)).rejects.toMatchObject({
      code: 'TASK_FORBIDDEN',
      message: 'task bash-1 belongs to another session',
    })
    expect(bash.list().map(({ status }) => status)).toEqual(['running'])
  })
})
