import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { contentText, HookHarness } from './support/harness.ts'
import { hookTable } from './support/hook-files.ts'

const settings = 'project/.claude/settings.json'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a tool call in the harness', () => {
  it('is denied by a hook, which knows the tool by the name of its program', async () => {
    const script = `grep -q '"tool_name":"Bash".*rm -rf' && { echo "Not that." >&2; exit 2; } || true`
    await using harness = await HookHarness.start({
      [settings]: hookTable('PreToolUse', [{ command: script }], 'Bash'),
    })
    const denied = await harness.call('rm -rf build')
    expect([denied.isError, contentText(denied)]).toEqual([true, expect.stringContaining('PreToolUse hook: Not that.')])
    expect(await harness.call('echo fine')).toMatchObject({ isError: false, content: [{ text: 'fine\n' }] })
  })

  it('runs when the hook cannot', async () => {
    const report = vi.spyOn(console, 'error').mockReturnValue()
    await using harness = await HookHarness.start({
      [settings]: hookTable('PreToolUse', [{ command: '/no/such/hook' }]),
    })
    expect(await harness.call('echo fine')).toMatchObject({ isError: false })
    expect(report).toHaveBeenCalledWith(expect.stringContaining('HOOK_FAILED'))
  })

  it('needs an approval that nobody here can give when a hook asks', async () => {
    const output = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask', permissionDecisionReason: 'Sure?' },
    }
    await using harness = await HookHarness.start({
      [settings]: hookTable('PreToolUse', [{ command: `echo '${JSON.stringify(output)}'` }]),
    })
    expect(await harness.call('echo fine')).toMatchObject({ isError: true })
  })

  it('stays refused by another gate when a hook allows it', async () => {
    const output = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }
    await using harness = await HookHarness.start({
      [settings]: hookTable('PreToolUse', [{ command: `echo '${JSON.stringify(output)}'` }]),
    })
    harness.ctx.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'by policy' }))
    expect(await harness.call('echo fine')).toMatchObject({ isError: true })
  })

  it('is refused with the arguments that a hook wants in their place', async () => {
    const output = {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: 'ls -a' },
      },
    }
    const script = `grep -q '"command":"ls"' && echo '${JSON.stringify(output)}' || true`
    await using harness = await HookHarness.start({ [settings]: hookTable('PreToolUse', [{ command: script }]) })
    const refused = await harness.call('ls')
    expect([refused.isError, contentText(refused)]).toEqual([true, expect.stringContaining('{"command":"ls -a"}')])
    expect(await harness.call('ls -a')).toMatchObject({ isError: false })
  })

  it('ends the agent when a hook says so', async () => {
    const script = `echo '{"continue":false,"stopReason":"enough"}'`
    await using harness = await HookHarness.start({ [settings]: hookTable('PreToolUse', [{ command: script }]) })
    expect(await harness.call('echo fine')).toMatchObject({ isError: true })
    expect(harness.cancelled).toEqual([{ kind: 'hook', reason: 'enough' }])
  })

  it('that is over is commented on by hooks, of success and of failure', async () => {
    const echo = `cat >> events; echo >> events; echo "Format it." >&2; exit 2`
    const table = (event: string): object => (hookTable(event, [{ command: echo }], 'Bash') as { hooks: object }).hooks
    await using harness = await HookHarness.start({
      [settings]: { hooks: { ...table('PostToolUse'), ...table('PostToolUseFailure') } },
    })
    const result = await harness.call('echo out; echo err >&2')
    expect(result).toMatchObject({ isError: false })
    expect(result.additionalContexts?.map(contentText)).toEqual(['PostToolUse hook: Format it.'])
    expect((await harness.call(' ')).additionalContexts?.map(contentText)).toEqual([
      'PostToolUseFailure hook: Format it.',
    ])
    const events = (await readFile(join(harness.files.project, 'events'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
    expect(events.map((line) => JSON.parse(line))).toMatchObject([
      {
        session_id: 'session-a',
        cwd: harness.files.project,
        tool_input: { command: 'echo out; echo err >&2' },
        tool_response: { stdout: 'out\n', stderr: 'err\n', interrupted: false },
      },
      { error: 'invalid command: expected a non-empty string' },
    ])
  })

  it('has a hook’s answer in the place of its result', async () => {
    const output = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'redacted' } }
    await using harness = await HookHarness.start({
      [settings]: hookTable('PostToolUse', [{ command: `echo '${JSON.stringify(output)}'` }]),
    })
    expect(contentText(await harness.call('echo secret'))).toBe('redacted')
  })
})

describe('a prompt in the harness', () => {
  it('comes with what hooks add, those of the session’s start first', async () => {
    const start = (hookTable('SessionStart', [{ command: 'echo "At the start."' }], 'startup') as { hooks: object })
      .hooks
    const prompt = (hookTable('UserPromptSubmit', [{ command: `grep -o '"prompt":"[^"]*"'` }]) as { hooks: object })
      .hooks
    await using harness = await HookHarness.start({ [settings]: { hooks: { ...start, ...prompt } } })
    harness.startSession()
    const decision = await harness.prompt('hello')
    expect(decision.kind === 'enter' && decision.messages.map(contentText)).toEqual([
      'hello',
      'SessionStart hook: At the start.',
      'UserPromptSubmit hook: "prompt":"hello"',
    ])
    const second = await harness.prompt('again')
    expect(second.kind === 'enter' && second.messages).toHaveLength(2)
  })

  it('is refused by a hook, and the user is told why', async () => {
    const told = vi.spyOn(console, 'error').mockReturnValue()
    await using harness = await HookHarness.start({
      [settings]: hookTable('UserPromptSubmit', [{ command: 'echo "A secret." >&2; exit 2' }]),
    })
    expect(await harness.prompt('password: x')).toEqual({ kind: 'reject' })
    expect(told).toHaveBeenCalledWith('hooks: a UserPromptSubmit hook refused the prompt: A secret.')
  })
})

it('a cancelled turn waits for no hook of the session’s start', async () => {
  await using harness = await HookHarness.start({
    [settings]: hookTable('SessionStart', [{ command: 'touch begun; sleep 600' }]),
  })
  harness.startSession()
  await expect.poll(() => existsSync(join(harness.files.project, 'begun'))).toBe(true)
  const controller = new AbortController()
  const prompted = harness.prompt('hello', controller.signal)
  controller.abort()
  expect(await prompted).toMatchObject({ kind: 'enter', messages: [{ source: { kind: 'user' } }] })
})

it('a subagent fires the events of subagents', async () => {
  const record = 'cat >> events; echo >> events'
  const table = (event: string): object =>
    (hookTable(event, [{ command: record }], 'general-purpose') as { hooks: object }).hooks
  await using harness = await HookHarness.start(
    {
      [settings]: {
        hooks: { ...table('SubagentStart'), ...table('SubagentStop'), ...table('Stop'), ...table('SessionEnd') },
      },
    },
    {},
    { origin: 'subagent' },
  )
  harness.startSession()
  await harness.prompt('look')
  await harness.stop()
  harness.endSession()
  await harness.plugin.dispose()
  const lines = (await readFile(join(harness.files.project, 'events'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { hook_event_name: 'SubagentStart', agent_id: 'session-a', agent_type: 'general-purpose' },
    { hook_event_name: 'SubagentStop', stop_hook_active: false },
  ])
})

describe('the end of a turn in the harness', () => {
  const goOn = `echo '{"decision":"block","reason":"Run the tests."}'`

  it('is put off by a hook, which is told so the next time', async () => {
    const script = `grep -q '"stop_hook_active":true' || ${goOn}`
    await using harness = await HookHarness.start({ [settings]: hookTable('Stop', [{ command: script }]) })
    await harness.stop()
    expect(harness.steered.map(contentText)).toEqual(['Stop hook: Run the tests.'])
    await harness.stop()
    expect(harness.steered).toHaveLength(1)
    await harness.stop(2)
    expect(harness.steered).toHaveLength(2)
  })

  it('comes all the same after so many times', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    await using harness = await HookHarness.start(
      { [settings]: hookTable('Stop', [{ command: goOn }]) },
      { maxStopBlocks: 2 },
    )
    for (let round = 0; round < 4; round++) await harness.stop()
    expect(harness.steered).toHaveLength(2)
  })

  it('is told to the notify program of Codex', async () => {
    await using harness = await HookHarness.start({
      'codex/config.toml': `notify = ["bash", "-c", 'echo "$1" > notified', "notify"]\n`,
    })
    await harness.prompt('do it')
    await harness.stop()
    const read = (): Promise<unknown> =>
      readFile(join(harness.files.project, 'notified'), 'utf8')
        .then(JSON.parse)
        .catch(() => undefined) // not there yet
    await expect.poll(read).toMatchObject({ 'thread-id': 'session-a', 'input-messages': ['do it'] })
  })
})

it('a session that ends fires its hooks, which the plugin’s end waits for', async () => {
  await using harness = await HookHarness.start({
    'claude/settings.json': hookTable('SessionEnd', [{ command: 'sleep 0.2; cat > ended' }]),
  })
  harness.endSession()
  await harness.plugin.dispose()
  expect(JSON.parse(await readFile(join(harness.files.project, 'ended'), 'utf8'))).toMatchObject({ reason: 'other' })
})

it('a configuration that is wrong is refused at load by the name of its field', async () => {
  await expect(HookHarness.start({}, { maxStopBlocks: 0 })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    context: { fields: ['maxStopBlocks'] },
  })
})
