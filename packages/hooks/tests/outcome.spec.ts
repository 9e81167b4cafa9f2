import { describe, expect, it } from 'vitest'
import type { BashExecSpec } from 'dsh-bash'
import type { HookOutcome } from '../src/index.ts'
import { bashCall, promptEvent, stopEvent } from './support/events.ts'
import { hookTable } from './support/hook-files.ts'
import { printed } from './support/scripted-bash.ts'
import { scriptedHooks } from './support/scripted-hooks.ts'

/** What hooks that print this, in this order of configuration, make of a tool call. */
async function combined(outputs: readonly object[], order?: readonly number[]): Promise<HookOutcome> {
  const commands = outputs.map((_, at) => ({ command: String(at) }))
  await using scripted = await scriptedHooks({ 'claude/settings.json': hookTable('PreToolUse', commands) })
  const gates = outputs.map(() => Promise.withResolvers<void>())
  scripted.bash.answer = async ({ command }: BashExecSpec) => {
    await gates[Number(command)]?.promise
    return printed(JSON.stringify(outputs[Number(command)]))
  }
  const running = scripted.hooks.run(bashCall('ls'))
  for (const at of order ?? outputs.keys()) {
    gates[at]?.resolve()
    await new Promise(setImmediate) // that hook's end, before the next one's
  }
  return running
}

function permission(permissionDecision: string, more: object = {}): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } }
}

describe('several decisions', () => {
  it.each([
    [['allow', 'ask', 'deny'], 'deny'],
    [['deny', 'allow'], 'deny'],
    [['allow', 'ask'], 'ask'],
    [['ask', 'defer', 'allow'], 'defer'],
    [['allow', 'allow'], 'allow'],
  ])('of %j are %s', async (given, expected) => {
    expect(await combined(given.map((each) => permission(each)))).toMatchObject({ permission: expected })
  })

  it('have the reasons of those that decided, in the order of configuration', async () => {
    const outputs = ['allow', 'deny', 'deny'].map((each, at) =>
      permission(each, { permissionDecisionReason: `reason ${at}` }),
    )
    expect(await combined(outputs, [2, 1, 0])).toMatchObject({ reason: 'reason 1\n\nreason 2' })
  })

  it('take the input of the hook that ended last', async () => {
    const outputs = [0, 1].map((at) => permission('allow', { updatedInput: { command: String(at) } }))
    expect(await combined(outputs, [0, 1])).toMatchObject({ updatedInput: { command: '1' } })
    expect(await combined(outputs, [1, 0])).toMatchObject({ updatedInput: { command: '0' } })
  })

  it('change no input of a call that is denied', async () => {
    const outcome = await combined([permission('allow', { updatedInput: { command: 'x' } }), permission('deny')])
    expect(outcome).not.toHaveProperty('updatedInput')
  })

  it('keep every context and message', async () => {
    const outputs = ['a', 'b'].map((each) => ({
      ...permission('allow', { additionalContext: each }),
      systemMessage: each,
    }))
    expect(await combined(outputs, [1, 0])).toMatchObject({
      additionalContexts: ['a', 'b'],
      systemMessages: ['a', 'b'],
    })
  })

  it('of nobody are none', async () => {
    await using scripted = await scriptedHooks({})
    expect(await scripted.hooks.run(stopEvent())).toEqual({
      blocked: false,
      additionalContexts: [],
      systemMessages: [],
      runs: [],
    })
  })
})

it('one hook that fails takes nothing from the others', async () => {
  await using scripted = await scriptedHooks({
    'claude/settings.json': hookTable('UserPromptSubmit', [{ command: 'breaks' }, { command: 'works' }]),
  })
  scripted.bash.answer = ({ command }) => {
    if (command === 'breaks') throw new Error('no engine')
    return printed('context')
  }
  expect(await scripted.hooks.run(promptEvent('hi'))).toMatchObject({ blocked: false, additionalContexts: ['context'] })
  expect(scripted.problems).toMatchObject([{ code: 'HOOK_NOT_RUN', cause: { message: 'no engine' } }])
})
