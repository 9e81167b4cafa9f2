import { describe, expect, it } from 'vitest'
import { bashCall, promptEvent, startEvent, stopEvent } from './support/events.ts'
import { hookTable } from './support/hook-files.ts'
import { printed, runResult } from './support/scripted-bash.ts'
import { scriptedHooks } from './support/scripted-hooks.ts'

/** What a model might say to get at what only the configuration may fill. */
const hostile = {
  command: '$(touch /tmp/hacked)`id`"\'; exit 0 #',
  stdin: 'injected',
  env: { LD_PRELOAD: '/tmp/evil.so' },
  CLAUDE_PROJECT_DIR: '/evil',
}

describe('the request of a hook', () => {
  it('of Claude Code has its event on stdin and the project in a variable', async () => {
    await using scripted = await scriptedHooks({
      'claude/settings.json': hookTable(
        'PreToolUse',
        [{ command: '"$CLAUDE_PROJECT_DIR"/check.sh', timeout: 5 }],
        'Bash',
      ),
    })
    await scripted.hooks.run(bashCall('ls'))
    expect(scripted.bash.requests).toEqual([
      {
        command: '"$CLAUDE_PROJECT_DIR"/check.sh',
        workdir: '/work',
        timeoutMs: 5000,
        stdin: expect.stringMatching(/^\{.*"command":"ls".*\}\n$/),
        env: { CLAUDE_PROJECT_DIR: scripted.files.project },
        owner: 'session-a',
      },
    ])
  })

  it('of Codex has no variables and no newline', async () => {
    await using scripted = await scriptedHooks({ 'codex/hooks.json': hookTable('PreToolUse', [{ command: 'check' }]) })
    await scripted.hooks.run(bashCall('ls'))
    expect(scripted.bash.requests).toEqual([
      {
        command: 'check',
        workdir: '/work',
        timeoutMs: 600_000,
        stdin: expect.stringMatching(/^\{.*\}$/),
        owner: 'session-a',
      },
    ])
  })

  it('of a plugin has its root in the place of ${CLAUDE_PLUGIN_ROOT}', async () => {
    await using scripted = await scriptedHooks({
      'plugin/hooks/hooks.json': hookTable('Stop', [
        { command: '${CLAUDE_PLUGIN_ROOT}/check.sh ${HOME}' },
        { command: '${CLAUDE_PLUGIN_ROOT}/check', args: ["it's", '$HOME', '${CLAUDE_PROJECT_DIR}'] },
      ]),
    })
    await scripted.hooks.run(stopEvent())
    const { plugin, project } = scripted.files
    expect(scripted.bash.requests).toMatchObject([
      { command: `${plugin}/check.sh \${HOME}`, env: { CLAUDE_PLUGIN_ROOT: plugin, CLAUDE_PROJECT_DIR: project } },
      { command: `exec '${plugin}/check' 'it'\\''s' '$HOME' '${project}'` },
    ])
  })

  it('takes nothing from what a model said but the text of the event', async () => {
    await using scripted = await scriptedHooks({
      'claude/settings.json': hookTable('PreToolUse', [{ command: 'check' }]),
      'codex/hooks.json': hookTable('PreToolUse', [{ command: 'check' }]),
    })
    await scripted.hooks.run(bashCall('ls'))
    const [claudeCode, codex] = scripted.bash.requests.splice(0)
    await scripted.hooks.run(bashCall('ls', { toolInput: hostile }))
    const [hostileClaudeCode, hostileCodex] = scripted.bash.requests
    for (const [plain, with_] of [
      [claudeCode, hostileClaudeCode],
      [codex, hostileCodex],
    ]) {
      expect({ ...with_, stdin: '' }).toEqual({ ...plain, stdin: '' })
      expect(JSON.parse(with_?.stdin ?? '')).toEqual({ ...JSON.parse(plain?.stdin ?? ''), tool_input: hostile })
    }
  })

  it('has the variables of the deployment, and no owner for a caller without a session', async () => {
    await using scripted = await scriptedHooks(
      { 'codex/hooks.json': hookTable('Stop', [{ command: 'check' }]) },
      { env: { HOME: '/h' } },
    )
    await scripted.hooks.run({ event: 'Stop', cwd: '/work', stopHookActive: false })
    expect(scripted.bash.requests[0]).toMatchObject({ env: { HOME: '/h' } })
    expect(scripted.bash.requests[0]).not.toHaveProperty('owner')
  })
})

describe('which hooks run', () => {
  it('are those of the event whose matcher means it', async () => {
    await using scripted = await scriptedHooks({
      'claude/settings.json': {
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', hooks: [{ type: 'command', command: 'bash' }] },
            { matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'edit' }] },
            {
              hooks: [
                { type: 'command', command: 'all' },
                { type: 'command', command: 'push', if: 'Bash(git push *)' },
              ],
            },
          ],
          SessionStart: [{ matcher: 'resume', hooks: [{ type: 'command', command: 'resumed' }] }],
          UserPromptSubmit: [{ matcher: 'ignored here', hooks: [{ type: 'command', command: 'prompt' }] }],
        },
      },
    })
    const commandsOf = async (event: Parameters<typeof scripted.hooks.run>[0]): Promise<string[]> => {
      await scripted.hooks.run(event)
      return scripted.bash.requests.splice(0).map(({ command }) => command)
    }
    expect(await commandsOf(bashCall('ls'))).toEqual(['bash', 'all'])
    expect(await commandsOf(bashCall('git push'))).toEqual(['bash', 'all', 'push'])
    expect(await commandsOf(bashCall('x', { toolName: 'bash', toolAliases: ['Bash'] }))).toEqual(['bash', 'all'])
    expect(await commandsOf(startEvent('startup'))).toEqual([])
    expect(await commandsOf(startEvent('resume'))).toEqual(['resumed'])
    expect(await commandsOf(promptEvent('hi'))).toEqual(['prompt'])
    expect([scripted.hooks.has('PreToolUse'), scripted.hooks.has('Stop')]).toEqual([true, false])
  })

  it('know a tool by the other names that the manual gives it', async () => {
    await using scripted = await scriptedHooks({
      'codex/hooks.json': hookTable('PreToolUse', [{ command: 'codex' }], 'Edit|Write'),
      'claude/settings.json': hookTable('PreToolUse', [{ command: 'claude' }], 'Edit|Write|Task'),
    })
    await scripted.hooks.run(bashCall('*** Begin Patch', { toolName: 'apply_patch' }))
    await scripted.hooks.run(bashCall('look around', { toolName: 'Agent' }))
    expect(scripted.bash.requests.map(({ command }) => command)).toEqual(['codex', 'claude'])
    expect(JSON.parse(scripted.bash.requests[0]?.stdin ?? '')).toMatchObject({ tool_name: 'apply_patch' })
  })

  it('are each run once for Claude Code, and as often as configured for Codex', async () => {
    const table = hookTable('Stop', [{ command: 'same' }, { command: 'same' }])
    await using scripted = await scriptedHooks({
      'claude/settings.json': table,
      'project/.claude/settings.json': table,
      'codex/hooks.json': table,
    })
    expect((await scripted.hooks.run(stopEvent())).runs.map(({ handler }) => handler.source.dialect)).toEqual([
      'claude-code',
      'codex',
      'codex',
    ])
  })

  it('start all at once, before any has ended', async () => {
    const commands = ['a', 'b', 'c'].map((command) => ({ command }))
    await using scripted = await scriptedHooks({ 'claude/settings.json': hookTable('Stop', commands) })
    const gate = Promise.withResolvers<void>()
    scripted.bash.answer = () => gate.promise.then(() => runResult({}))
    const running = scripted.hooks.run(stopEvent())
    expect(scripted.bash.requests).toHaveLength(3)
    gate.resolve()
    expect((await running).runs).toHaveLength(3)
  })
})

describe('a hook in the background', () => {
  it('is not waited for and decides nothing, and its failure is reported', async () => {
    await using scripted = await scriptedHooks({
      'claude/settings.json': hookTable('PreToolUse', [{ command: 'slow', async: true }]),
    })
    const gate = Promise.withResolvers<void>()
    scripted.bash.answer = () => gate.promise.then(() => printed('', 'no', 1))
    const aborted = new AbortController()
    const outcome = await scripted.hooks.run(bashCall('ls'), { signal: aborted.signal })
    expect(outcome).toMatchObject({ blocked: false, runs: [{ status: 'background' }] })
    expect(scripted.bash.requests[0]).not.toHaveProperty('signal')
    gate.resolve()
    await scripted.hooks.settled()
    expect(scripted.problems).toMatchObject([{ code: 'HOOK_FAILED' }])
  })
})

describe('long output', () => {
  async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield Buffer.from(text)
  }

  const cut = (facts: object): ReturnType<typeof runResult> =>
    runResult({ stdout: { text: '"}', truncated: true, ...facts } })

  it('is read whole where the executor kept it', async () => {
    await using scripted = await scriptedHooks({ 'claude/settings.json': hookTable('Stop', [{ command: 'x' }]) })
    scripted.bash.answer = () => cut({ spillPath: '/spill/1', totalBytes: 40 })
    scripted.bash.spill = () => chunks('{"decision":"block",', '"reason":"all of it"}')
    expect(await scripted.hooks.run(stopEvent())).toMatchObject({ blocked: true, reason: 'all of it' })
  })

  it.each([
    ['longer than the limit by what the executor says', { spillPath: '/spill/1', totalBytes: 65 }],
    ['longer than the limit by what is read', { spillPath: '/spill/1' }],
    ['kept nowhere', {}],
  ])('that is %s is reported and never read cut off', async (_, facts) => {
    await using scripted = await scriptedHooks(
      { 'claude/settings.json': hookTable('Stop', [{ command: 'x' }]) },
      { maxOutputBytes: 64 },
    )
    scripted.bash.answer = () => cut(facts)
    scripted.bash.spill = () => chunks(`{"decision":"block","reason":"${'x'.repeat(40)}"}`)
    expect(await scripted.hooks.run(stopEvent())).toMatchObject({ blocked: false })
    expect(scripted.problems).toMatchObject([{ code: 'HOOK_OUTPUT_TOO_LARGE' }])
  })

  it('of stderr cuts the reason, not the block', async () => {
    await using scripted = await scriptedHooks({ 'claude/settings.json': hookTable('Stop', [{ command: 'x' }]) })
    scripted.bash.answer = () => runResult({ exitCode: 2, stderr: { text: 'the end', truncated: true } })
    expect(await scripted.hooks.run(stopEvent())).toMatchObject({ blocked: true, reason: 'the end' })
    expect(scripted.problems).toMatchObject([{ code: 'HOOK_OUTPUT_TOO_LARGE' }])
  })
})

it('an event that JSON cannot express is a hook that was not run', async () => {
  await using scripted = await scriptedHooks({ 'claude/settings.json': hookTable('PreToolUse', [{ command: 'x' }]) })
  const outcome = await scripted.hooks.run(bashCall('x', { toolInput: { big: 1n } }))
  expect(outcome).toMatchObject({ blocked: false, runs: [{ status: 'failed', problem: { code: 'HOOK_NOT_RUN' } }] })
})
