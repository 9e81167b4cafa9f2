import { Context } from '@deepseek-ai/cordis'
import AgentRegistry, { type Agent, Inbox } from '@deepseek-ai/dsh-agent'
import { CallId } from '@deepseek-ai/dsh-llm'
import { createScope } from '@deepseek-ai/dsh-scope'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import ToolRuntime, { type ToolExecutionResult } from '@deepseek-ai/dsh-tools'

/** Who calls a tool, and how. */
export interface CallOptions {
  agent?: Agent
  signal?: AbortSignal
}

/** The real tool registry of the harness, with real sessions and agents beside it. */
export class Harness implements AsyncDisposable {
  readonly ctx: Context
  private callCount = 0

  private constructor(ctx: Context) {
    this.ctx = ctx
  }

  /** @param withAgents whether the harness has agents at all; the tools do not need them */
  static async start({ withAgents = true } = {}): Promise<Harness> {
    const ctx = new Context()
    await ctx.plugin(SystemPrompt, {})
    await ctx.plugin(ToolRuntime, {})
    await ctx.plugin(SessionStore)
    if (withAgents) await ctx.plugin(AgentRegistry)
    return new Harness(ctx)
  }

  /** The names that a model sees, in the order of their registration. */
  toolNames(): string[] {
    return this.ctx.tools.schemas().map((schema) => schema.name)
  }

  /** Calls a tool as the agent loop would. */
  call(name: string, args: unknown, { agent, signal }: CallOptions = {}): Promise<ToolExecutionResult> {
    this.callCount += 1
    return this.ctx.tools.execute({
      callId: CallId(`call-${this.callCount}`),
      name,
      arguments: args,
      signal: signal ?? new AbortController().signal,
      ...(agent === undefined ? {} : { agent }),
    })
  }

  /** An agent with a real session and inbox that no loop drives; live in the registry, when there is one. */
  agent(id: string, cwd?: string): Agent {
    const session = this.ctx.sessions.create(SessionId(id), { meta: cwd === undefined ? {} : { cwd } })
    const ignore = (): void => undefined
    const inbox = new Inbox(session, { inserted: ignore, discarded: ignore, claimed: ignore })
    const agent = {
      id: session.id,
      session,
      inbox,
      options: {},
      status: 'idle',
      inject: (message) => inbox.append('next-step', message),
    } satisfies Partial<Agent>
    // The rest drives a model, which nothing here does.
    const live = Object.assign(agent, { ctx: createScope(this.ctx, agent).ctx }) as unknown as Agent
    this.ctx.get('agents')?.register(live)
    return live
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.ctx.fiber.dispose()
  }
}

/** The text of a result, as the model reads it. */
export function textOf(result: ToolExecutionResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('')
}
