import { randomUUID } from 'node:crypto'
import { Context, type Fiber } from '@deepseek-ai/cordis'
import AgentRegistry, { type Agent, agentEvents, Inbox, type PreStepDecision } from '@deepseek-ai/dsh-agent'
import { CallId } from '@deepseek-ai/dsh-llm'
import { createScope } from '@deepseek-ai/dsh-scope'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime, { type ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import LocalBashExecutor from 'dsh-bash-local'
import * as toolBash from 'dsh-tool-bash'
import * as hooksPlugin from '../../src/index.ts'
import { HookFiles } from './hook-files.ts'

type AgentMessage = Parameters<Agent['inject']>[0]

/** The real registries of the harness, our bash tool on this host, and the plugin over a test's files. */
export class HookHarness implements AsyncDisposable {
  readonly ctx = new Context()
  readonly files: HookFiles
  readonly agent: Agent
  /** The plugin, to be unloaded before the rest. */
  readonly plugin: Fiber
  /** Ends the session as the loop would. */
  endSession: () => void = () => undefined
  /** What the agent was told to do instead of stopping. */
  readonly steered: AgentMessage[] = []
  readonly cancelled: unknown[] = []
  private callCount = 0

  private constructor(files: HookFiles) {
    this.files = files
    // Until `start` has made them.
    this.agent = undefined as unknown as Agent
    this.plugin = undefined as unknown as Fiber
  }

  static async start(
    contents: Readonly<Record<string, unknown>>,
    config: hooksPlugin.HooksPluginConfig = {},
    meta: { origin?: 'subagent' } = {},
  ): Promise<HookHarness> {
    const files = await HookFiles.create()
    for (const [path, content] of Object.entries(contents)) await files.write(path, content)
    const harness = new HookHarness(files)
    const { ctx } = harness
    await ctx.plugin(SystemPrompt, {})
    await ctx.plugin(ToolRuntime, {})
    await ctx.plugin(SessionStore)
    await ctx.plugin(AgentRegistry)
    await ctx.plugin(LocalBashExecutor, {})
    await ctx.plugin(toolBash)
    try {
      const plugin = await ctx.plugin(hooksPlugin, { ...files.config(), ...config })
      Object.assign(harness, { plugin, agent: harness.makeAgent(meta) })
    } catch (error) {
      await harness[Symbol.asyncDispose]()
      throw error
    }
    return harness
  }

  /** Calls the bash tool as the agent loop would. */
  call(command: string): Promise<ToolExecutionResult> {
    this.callCount += 1
    return this.ctx.tools.execute({
      callId: CallId(`call-${this.callCount}`),
      name: 'bash',
      arguments: { command, description: 'Run it for the test' },
      signal: new AbortController().signal,
      agent: this.agent,
    })
  }

  /** The loop begins a session. */
  startSession(): void {
    agentEvents(this.ctx, this.agent).emit('agent/session-start', { source: 'startup' })
  }

  /** The loop is about to give a user's words to the model. */
  prompt(text: string, signal: AbortSignal = new AbortController().signal): Promise<PreStepDecision> {
    const messages = [userMessage(text)]
    return agentEvents(this.ctx, this.agent).waterfall(
      'agent/pre-step',
      { messages, turn: 1, step: 1, signal },
      async () => ({
        kind: 'enter',
        messages,
      }),
    )
  }

  /** The loop is about to end a turn. */
  async stop(turn = 1): Promise<void> {
    await agentEvents(this.ctx, this.agent).serial('agent/turn-stopping', {
      turn,
      signal: new AbortController().signal,
    })
  }

  /** An agent with a real session and inbox that no loop drives. */
  private makeAgent(meta: { origin?: 'subagent' }): Agent {
    const { ctx } = this
    const session = ctx.sessions.create(SessionId('session-a'), { meta: { ...meta, cwd: this.files.project } })
    const ignore = (): void => undefined
    const inbox = new Inbox(session, { inserted: ignore, discarded: ignore, claimed: ignore })
    const agent = {
      id: session.id,
      session,
      inbox,
      options: { model: 'test-model' },
      status: 'running',
      inject: (message) => inbox.append('next-step', message),
      steer: (message) => void this.steered.push(message),
      cancel: (cause) => void this.cancelled.push(cause),
    } satisfies Partial<Agent>
    // The rest drives a model, which nothing here does.
    const live = Object.assign(agent, { ctx: createScope(ctx, agent).ctx }) as unknown as Agent
    this.endSession = ctx.agents.register(live)
    return live
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ctx.fiber.dispose()
    await this.files[Symbol.asyncDispose]()
  }
}

export function userMessage(text: string): AgentMessage {
  return {
    id: randomUUID() as AgentMessage['id'],
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'user' },
  }
}

/** The text of anything with content. */
export function contentText({ content }: Pick<AgentMessage, 'content'>): string {
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('')
}
