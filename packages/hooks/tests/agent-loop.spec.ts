import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import AgentRegistry from '@deepseek-ai/dsh-agent'
import AgentLoop from '@deepseek-ai/dsh-agent-loop'
import LlmRuntime, { CallId, type GenerateOptions, LlmAdapter, type StreamChunk } from '@deepseek-ai/dsh-llm'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import LocalBashExecutor from 'dsh-bash-local'
import * as toolBash from 'dsh-tool-bash'
import { expect, it } from 'vitest'
import * as hooksPlugin from '../src/index.ts'
import { contentText, userMessage } from './support/harness.ts'
import { HookFiles } from './support/hook-files.ts'

/** One answer of the model: a command for the bash tool, or words. */
type Answer = { readonly command: string } | { readonly text: string }

/** A model that says what it is told to, in order, and keeps what it was asked. */
class ScriptedModel extends LlmAdapter {
  readonly requests: GenerateOptions[] = []
  private readonly answers: Answer[]

  constructor(answers: readonly Answer[]) {
    super()
    this.answers = [...answers]
  }

  async *stream(options: GenerateOptions): AsyncIterable<StreamChunk> {
    this.requests.push(options)
    const answer = this.answers.shift() ?? { text: 'nothing more' }
    if ('text' in answer) {
      yield { type: 'block-start', index: 0, blockType: 'text' }
      yield { type: 'text-delta', index: 0, text: answer.text }
      yield { type: 'block-end', index: 0, block: { type: 'text', text: answer.text } }
      yield { type: 'finish', reason: { kind: 'stop' } }
      return
    }
    const id = CallId(`call-${this.requests.length}`)
    const args = JSON.stringify({ command: answer.command, description: 'Do it' })
    yield { type: 'block-start', index: 0, blockType: 'tool-call' }
    yield { type: 'tool-call-delta', index: 0, id, name: 'bash', argumentsDelta: args }
    yield { type: 'block-end', index: 0, block: { type: 'tool-call', id, name: 'bash', arguments: args } }
    yield { type: 'finish', reason: { kind: 'tool-calls' } }
  }
}

const record = 'cat >> "$CLAUDE_PROJECT_DIR/events"'
const group = (command: string): object[] => [{ hooks: [{ type: 'command', command }] }]

it('the harness’s own loop fires the hooks of a whole session', async () => {
  await using files = await HookFiles.create()
  await files.write('project/.claude/settings.json', {
    hooks: {
      SessionStart: group(`${record}; echo 'Mind the style guide.'`),
      UserPromptSubmit: group(record),
      PreToolUse: group(
        `payload=$(cat); echo "$payload" | ${record}; [[ $payload != *forbidden* ]] || { echo 'Not that.' >&2; exit 2; }`,
      ),
      PostToolUse: group(record),
      PostToolUseFailure: group(record), // a call that was denied never ran, so it did not fail
      Stop: group(
        `payload=$(cat); echo "$payload" | ${record}; [[ $payload == *'"stop_hook_active":true'* ]] || { echo 'Check it once more.' >&2; exit 2; }`,
      ),
      SessionEnd: group(record),
    },
  })
  const model = new ScriptedModel([
    { command: 'echo forbidden' },
    { command: 'echo fine' },
    { text: 'done' },
    { text: 'checked' },
  ])
  const ctx = new Context()
  await ctx.plugin(SystemPrompt, {})
  await ctx.plugin(LlmRuntime)
  await ctx.plugin(ToolRuntime, {})
  await ctx.plugin(SessionStore)
  await ctx.plugin(AgentRegistry)
  await ctx.plugin(LocalBashExecutor, {})
  await ctx.plugin(toolBash)
  const plugin = await ctx.plugin(hooksPlugin, files.config())
  await ctx.plugin(AgentLoop, { agents: [] })
  ctx.llm.registerAdapter(['scripted'], model)

  const handle = await ctx.agents.create({
    sessionId: SessionId('session-a'),
    meta: { cwd: files.project },
    agentOptions: { provider: 'scripted', model: 'scripted-1' },
  })
  handle.agent.followup(userMessage('make it so'))
  await handle.agent.whenIdle()

  const seen = model.requests.map(({ messages }) => messages.map(contentText))
  expect(seen[0]).toEqual(['make it so', 'SessionStart hook: Mind the style guide.'])
  const last = handle.agent.session.deriveMessages()
  const results = last.flatMap(({ content }) => content.filter((block) => block.type === 'tool-result'))
  expect(results.map((result) => contentText({ content: result.content }))).toEqual([
    expect.stringContaining('PreToolUse hook: Not that.'),
    'fine\n',
  ])
  expect(seen.at(-1)?.at(-1)).toBe('Stop hook: Check it once more.')

  await handle.dispose()
  await plugin.dispose()
  await ctx.fiber.dispose()
  const events = (await readFile(join(files.project, 'events'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.map(({ hook_event_name, tool_input }) => [hook_event_name, tool_input?.command])).toEqual([
    ['SessionStart', undefined],
    ['UserPromptSubmit', undefined],
    ['PreToolUse', 'echo forbidden'],
    ['PreToolUse', 'echo fine'],
    ['PostToolUse', 'echo fine'],
    ['Stop', undefined],
    ['Stop', undefined],
    ['SessionEnd', undefined],
  ])
  expect(events[6]).toMatchObject({
    stop_hook_active: true,
    last_assistant_message: 'checked',
    session_id: 'session-a',
  })
})
