import { describe, expect, it } from 'vitest'
import * as toolBash from '../src/index.ts'
import { inBackground, running } from './support/calls.ts'
import { Harness, textOf } from './support/harness.ts'
import { scriptedHarness } from './support/scripted-harness.ts'
import { runResult, ScriptedBashExecutor } from './support/scripted-bash-executor.ts'

const names = ['bash', 'bash_output', 'bash_kill']

describe('the plugin', () => {
  it('is pending until there is an executor, then registers the tools in their order', async () => {
    await using harness = await Harness.start()
    const fiber = harness.ctx.plugin(toolBash)
    expect(harness.toolNames()).toEqual([])
    await harness.ctx.plugin(ScriptedBashExecutor)
    await fiber
    expect(harness.toolNames()).toEqual(names)
  })

  it('takes the tools away when it unloads', async () => {
    await using harness = await Harness.start()
    await harness.ctx.plugin(ScriptedBashExecutor)
    const fiber = await harness.ctx.plugin(toolBash)
    expect(harness.toolNames()).toEqual(names)
    await fiber.dispose()
    expect(harness.toolNames()).toEqual([])
  })

  it('takes the tools away when the executor unloads, and brings them back with the next', async () => {
    await using harness = await Harness.start()
    const fiber = await harness.ctx.plugin(ScriptedBashExecutor)
    await harness.ctx.plugin(toolBash)
    await fiber.dispose()
    expect(harness.toolNames()).toEqual([])
    await harness.ctx.plugin(ScriptedBashExecutor)
    await expect.poll(() => harness.toolNames()).toEqual(names)
  })

  it('shows the model these parameters', async () => {
    await using harness = await scriptedHarness()
    const shape = harness.ctx.tools.schemas().map(({ name, parameters }) => {
      const properties = Object.entries(parameters['properties'] as Record<string, { type: string }>)
      const types = Object.fromEntries(properties.map(([property, { type }]) => [property, type]))
      return { name, types, required: parameters['required'] }
    })
    const task = { types: { task_id: 'string' }, required: ['task_id'] }
    expect(shape).toEqual([
      {
        name: 'bash',
        types: {
          command: 'string',
          description: 'string',
          timeoutMs: 'number',
          workdir: 'string',
          run_in_background: 'boolean',
        },
        required: ['command', 'description'],
      },
      { name: 'bash_output', ...task },
      { name: 'bash_kill', ...task },
    ])
  })
})

describe('a call through the registry', () => {
  it('runs for the session of the agent, in its directory', async () => {
    await using harness = await scriptedHarness()
    await harness.call('bash', running('make', { workdir: 'lib' }), { agent: harness.agent('session-a', '/work') })
    await harness.call('bash', running('make'))
    expect(harness.bash.specs).toMatchObject([
      { owner: 'session-a', workdir: '/work/lib' },
      { owner: undefined, workdir: '/default' },
    ])
  })

  it('gives the text to the model, the facts to the log and the value to programs', async () => {
    await using harness = await scriptedHarness()
    harness.bash.answer = async () =>
      runResult({ exitCode: 3, stdout: { text: 'a\n', truncated: true, spillPath: '/spill/1', totalBytes: 9 } })
    expect(await harness.call('bash', running('x'))).toEqual({
      isError: false,
      content: [{ type: 'text', text: 'a\n[output truncated; full output: /spill/1]\n[exit code: 3]' }],
      meta: { exitCode: 3, signal: null },
      value: {
        kind: 'foreground',
        exitCode: 3,
        signal: null,
        timedOut: false,
        timeoutMs: 120_000,
        stdout: { text: 'a\n', truncated: true, spillPath: '/spill/1' },
        stderr: { text: '', truncated: false },
      },
    })
  })

  it('keeps what a user interface needs for the pill', async () => {
    await using harness = await scriptedHarness()
    harness.bash.answer = async () => runResult({ stdout: { text: 'a\n[exit code: 3]', truncated: false } })
    const { content, isError, meta } = await harness.call('bash', running('x'))
    const tool = harness.ctx.tools.get('bash')
    const view = tool?.presentResult?.(running('x'), { content, isError, ...(meta === undefined ? {} : { meta }) })
    expect(view).toEqual({ card: 'terminal', output: 'a\n[exit code: 3]', exitCode: 0 })
    expect(tool?.presentCall?.(running('x'))).toMatchObject({ card: 'terminal', title: 'x' })
  })

  it('gives the values of the task tools', async () => {
    await using harness = await scriptedHarness()
    const task = { id: 'bash-1', status: 'running', exitCode: null, signal: null }
    const call = { task_id: 'bash-1' }
    expect(await harness.call('bash', inBackground('x'))).toMatchObject({
      value: { kind: 'background', taskId: 'bash-1' },
    })
    expect(await harness.call('bash_output', call)).toMatchObject({
      value: { delta: '', lossy: false, spillPaths: [], task },
    })
    expect(await harness.call('bash_kill', call)).toMatchObject({
      value: { wasRunning: true, task: { ...task, status: 'killed' } },
    })
  })

  it('is an error result only when the command could not run, was aborted or is fenced off', async () => {
    await using harness = await scriptedHarness()
    await harness.call('bash', inBackground('x'), { agent: harness.agent('session-a') })
    const fenced = await harness.call('bash_output', { task_id: 'bash-1' }, { agent: harness.agent('session-b') })
    expect([fenced.isError, textOf(fenced)]).toEqual([true, 'Error: task bash-1 belongs to another session'])

    const controller = new AbortController()
    harness.bash.answer = async () => {
      controller.abort()
      return runResult({ aborted: true, exitCode: null, signal: 'SIGTERM' })
    }
    const aborted = await harness.call('bash', running('x'), { signal: controller.signal })
    expect([aborted.isError, textOf(aborted)]).toEqual([true, 'Error: command aborted'])

    const invalid = await harness.call('bash', running(' '))
    expect([invalid.isError, textOf(invalid)]).toEqual([true, 'Error: invalid command: expected a non-empty string'])
  })
})
