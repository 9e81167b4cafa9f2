import { describe, expect, it } from 'vitest'
import type { HookEvent, HookOutcome, HookRun } from '../src/index.ts'
import { bashCall, promptEvent, startEvent, stopEvent } from './support/events.ts'
import { hookTable } from './support/hook-files.ts'
import { printed, runResult } from './support/scripted-bash.ts'
import { type ScriptedHooks, scriptedHooks } from './support/scripted-hooks.ts'

type Dialect = 'claude-code' | 'codex'

const fileOf = { 'claude-code': 'claude/settings.json', codex: 'codex/hooks.json' }

function oneHook(dialect: Dialect, event: HookEvent): Promise<ScriptedHooks> {
  return scriptedHooks({ [fileOf[dialect]]: hookTable(event.event, [{ command: 'the-hook' }]) })
}

/** What one hook that ends like this makes of an event. */
async function outcomeOf(dialect: Dialect, event: HookEvent, result = runResult({})): Promise<HookOutcome> {
  await using scripted = await oneHook(dialect, event)
  scripted.bash.answer = () => result
  const outcome = await scripted.hooks.run(event)
  // Whatever a hook did not do is reported, and in its run.
  expect(scripted.problems).toEqual(outcome.runs.flatMap(({ problem }) => problem ?? []))
  return outcome
}

function json(output: object): ReturnType<typeof printed> {
  return printed(`${JSON.stringify(output)}\n`)
}

function firstRun({ runs }: HookOutcome): HookRun {
  return runs[0] ?? expect.unreachable('no hook ran')
}

function decided(permissionDecision: string, more: object = {}): ReturnType<typeof printed> {
  return json({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } })
}

const dialects: readonly Dialect[] = ['claude-code', 'codex']

describe.each(dialects)('a hook of %s', (dialect) => {
  const outcome = (event: HookEvent, result?: ReturnType<typeof printed>): Promise<HookOutcome> =>
    outcomeOf(dialect, event, result)

  it.each([bashCall('ls'), promptEvent('hi'), stopEvent()])(
    'that exits with 2 blocks $event, stderr is why',
    async (event) => {
      expect(await outcome(event, printed('{"continue":false}', ' no\n', 2))).toMatchObject({
        blocked: true,
        reason: 'no',
      })
    },
  )

  it('denies a tool call by exit code 2', async () => {
    expect(await outcome(bashCall('ls'), printed('', 'no', 2))).toMatchObject({ permission: 'deny', blocked: true })
  })

  it('that exits with 2 where nothing can be blocked has failed', async () => {
    const result = await outcome(startEvent('startup'), printed('', 'no', 2))
    expect(result).toMatchObject({ blocked: false })
    expect(firstRun(result)).toMatchObject({ status: 'failed', problem: { code: 'HOOK_FAILED' } })
  })

  it.each([
    ['HOOK_FAILED', printed('{"decision":"block","reason":"x"}', 'oops', 1)],
    ['HOOK_FAILED', printed('', 'no such command', 127)],
    ['HOOK_FAILED', runResult({ exitCode: null, signal: 'SIGSEGV' })],
    ['HOOK_TIMED_OUT', runResult({ exitCode: 2, timedOut: true })],
    ['HOOK_OUTPUT_INVALID', printed('{"decision":"block",')],
    ['HOOK_OUTPUT_INVALID', printed('{"decision":"perhaps"}')],
    ['HOOK_OUTPUT_INVALID', printed('{"continue":"no"}')],
    ['HOOK_OUTPUT_INVALID', json({ hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny' } })],
  ])('that does not do its work is reported as %s and blocks nothing', async (code, result) => {
    const got = await outcome(bashCall('ls'), result)
    expect(got).toMatchObject({ blocked: false, additionalContexts: [] })
    expect(got).not.toHaveProperty('permission')
    expect(firstRun(got)).toMatchObject({ status: 'failed', decision: {}, problem: { code } })
  })

  it('denies by JSON, with its reason', async () => {
    const result = decided('deny', { permissionDecisionReason: 'use rg' })
    expect(await outcome(bashCall('grep x'), result)).toMatchObject({
      permission: 'deny',
      blocked: true,
      reason: 'use rg',
    })
  })

  it('denies by the older JSON', async () => {
    const result = json({ decision: 'block', reason: 'use rg' })
    expect(await outcome(bashCall('grep x'), result)).toMatchObject({
      permission: 'deny',
      blocked: true,
      reason: 'use rg',
    })
  })

  it('allows with another input', async () => {
    const result = decided('allow', { updatedInput: { command: 'ls -a' } })
    expect(await outcome(bashCall('ls'), result)).toMatchObject({
      permission: 'allow',
      blocked: false,
      updatedInput: { command: 'ls -a' },
    })
  })

  it('keeps the agent from stopping', async () => {
    const result = json({ decision: 'block', reason: 'tests fail' })
    expect(await outcome(stopEvent(), result)).toMatchObject({ blocked: true, reason: 'tests fail' })
  })

  it('stops the agent altogether', async () => {
    const result = await outcome(stopEvent(), json({ continue: false, stopReason: 'enough', systemMessage: 'look' }))
    expect(result).toMatchObject({ blocked: false, stop: { reason: 'enough' }, systemMessages: ['look'] })
  })

  it('adds text to a prompt, and JSON where it is asked to', async () => {
    expect(await outcome(promptEvent('hi'), printed('It is Monday.\n'))).toMatchObject({
      additionalContexts: ['It is Monday.'],
    })
    const more = { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'It is Tuesday.' } }
    expect(await outcome(promptEvent('hi'), json(more))).toMatchObject({ additionalContexts: ['It is Tuesday.'] })
  })

  it('keeps text of a tool call for the log alone', async () => {
    const result = await outcome(bashCall('ls'), printed('checked\n'))
    expect(result).toMatchObject({ blocked: false, additionalContexts: [] })
    expect(firstRun(result)).toMatchObject({ status: 'completed', text: 'checked' })
  })

  it('answers a request for permission', async () => {
    const event: HookEvent = { ...bashCall('ls'), event: 'PermissionRequest' }
    const answer = (decision: object): object => ({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
    })
    expect(await outcome(event, json(answer({ behavior: 'allow' })))).toMatchObject({
      permission: 'allow',
      blocked: false,
    })
    expect(await outcome(event, json(answer({ behavior: 'deny', message: 'never' })))).toMatchObject({
      permission: 'deny',
      blocked: true,
      reason: 'never',
    })
  })

  it('that its caller aborted decides nothing and is no problem', async () => {
    const result = await outcome(bashCall('ls'), runResult({ exitCode: null, signal: 'SIGTERM', aborted: true }))
    expect(result).toMatchObject({ blocked: false })
    expect(firstRun(result)).toEqual({ handler: expect.anything(), status: 'aborted', decision: {} })
  })
})

describe('where the programs differ', () => {
  it('Claude Code asks; Codex takes that for an error', async () => {
    expect(await outcomeOf('claude-code', bashCall('ls'), decided('ask'))).toMatchObject({ permission: 'ask' })
    const codex = await outcomeOf('codex', bashCall('ls'), decided('ask'))
    expect(codex).not.toHaveProperty('permission')
    expect(firstRun(codex)).toMatchObject({ problem: { code: 'HOOK_OUTPUT_INVALID' } })
  })

  it('Claude Code blocks without a reason; Codex does not', async () => {
    expect(await outcomeOf('claude-code', stopEvent(), printed('', '', 2))).toMatchObject({ blocked: true })
    expect(await outcomeOf('codex', stopEvent(), printed('', '', 2))).toMatchObject({ blocked: false })
    expect(await outcomeOf('codex', stopEvent(), json({ decision: 'block' }))).toMatchObject({ blocked: false })
  })

  it('Claude Code stops the agent before a tool; Codex has no such answer there', async () => {
    expect(await outcomeOf('claude-code', bashCall('ls'), json({ continue: false }))).toMatchObject({ stop: {} })
    expect(await outcomeOf('codex', bashCall('ls'), json({ continue: false }))).not.toHaveProperty('stop')
  })

  it('what a plugin of Claude Code says of a result takes its place', async () => {
    const event: HookEvent = { ...bashCall('ls'), event: 'PostToolUse', toolResponse: 'a' }
    const result = json({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'b' } })
    expect(await outcomeOf('claude-code', event, result)).toMatchObject({ updatedOutput: 'b' })
  })
})

describe('the report of an unusable decision', () => {
  it('quotes neither the output nor the event', async () => {
    const result = await outcomeOf('claude-code', bashCall('secret-command'), printed('{secret-output'))
    const { problem } = firstRun(result)
    expect(JSON.stringify(problem)).toContain('it begins like a JSON object and is none')
    expect(JSON.stringify(problem)).not.toMatch(/secret-(command|output)/)
  })
})
