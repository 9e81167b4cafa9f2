import { once } from 'node:events'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent, PreStepDecision, SessionStartSource } from '@deepseek-ai/dsh-agent'
import type { HookEvent } from '../event.ts'
import type { Hooks } from '../hooks.ts'
import type { HookOutcome } from '../outcome.ts'
import { type AgentMessage, hookMessage, lastAssistantMessage, textOf } from './messages.ts'
import { originOf, type TellUser } from './origin.ts'

/** What the adapter knows of a live agent. */
interface AgentState {
  /** The hooks of its start; the model's first request waits for them. */
  started: Promise<readonly AgentMessage[]> | undefined
  /** The turn in which a hook kept it from stopping, and how often. */
  held: { turn: number; count: number }
  prompts: string[]
}

/** Fires the events of an agent's life: its start, a prompt, the end of a turn, its end. */
export class AgentHooks {
  private readonly hooks: Promise<Hooks>
  private readonly tell: TellUser
  private readonly projectDirectory: string
  private readonly maxStopBlocks: number
  private readonly agents = new WeakMap<Agent, AgentState>()
  private readonly ending = new Set<Promise<unknown>>()
  private readonly unloading = new AbortController()

  constructor(
    hooks: Promise<Hooks>,
    tell: TellUser,
    { projectDirectory, maxStopBlocks }: { readonly projectDirectory: string; readonly maxStopBlocks: number },
  ) {
    this.hooks = hooks
    this.tell = tell
    this.projectDirectory = projectDirectory
    this.maxStopBlocks = maxStopBlocks
  }

  listen(ctx: Context): void {
    ctx.on('agent/session-start', ({ agent, source }) => this.sessionStart(agent, source))
    ctx.on('agent/pre-step', ({ agent, messages, turn, signal }, next) =>
      this.preStep(agent, { messages, turn, signal }, next),
    )
    ctx.on('agent/turn-stopping', ({ agent, turn, signal }) => this.turnStopping(agent, turn, signal))
    ctx.on('agent/disposed', ({ agent }) => this.sessionEnd(agent))
    ctx.effect(() => () => this.settle(), 'hooks of ending sessions')
  }

  private sessionStart(agent: Agent, source: SessionStartSource): void {
    const subagent = subagentOf(agent)
    const event: HookEvent =
      subagent === undefined
        ? { ...originOf(agent, this.projectDirectory), event: 'SessionStart', source }
        : { ...originOf(agent, this.projectDirectory), event: 'SubagentStart', ...subagent }
    const started = this.fire(event, agent, this.unloading.signal).then(({ additionalContexts }) =>
      additionalContexts.map((text) => hookMessage(event.event, text)),
    )
    this.stateOf(agent).started = started
  }

  private async preStep(
    agent: Agent,
    step: { messages: readonly AgentMessage[]; turn: number; signal: AbortSignal },
    next: () => Promise<PreStepDecision>,
  ): Promise<PreStepDecision> {
    const state = this.stateOf(agent)
    const { started } = state
    state.started = undefined
    const additions = started === undefined ? [] : [...(await untilAborted(started, step.signal))]
    const origin = { ...originOf(agent, this.projectDirectory), turnId: String(step.turn) }
    for (const { source, content } of step.messages) {
      if (source.kind !== 'user') continue
      const prompt = textOf(content)
      state.prompts.push(prompt)
      const outcome = await this.fire({ ...origin, event: 'UserPromptSubmit', prompt }, agent, step.signal)
      if (outcome.blocked || outcome.stop !== undefined) {
        this.tell(`a UserPromptSubmit hook refused the prompt: ${outcome.stop?.reason ?? outcome.reason ?? ''}`)
        return { kind: 'reject' }
      }
      additions.push(...outcome.additionalContexts.map((text) => hookMessage('UserPromptSubmit', text)))
    }
    const decision = await next()
    if (decision.kind === 'reject' || additions.length === 0) return decision
    return { kind: 'enter', messages: [...decision.messages, ...additions] }
  }

  private async turnStopping(agent: Agent, turn: number, signal: AbortSignal): Promise<void> {
    const state = this.stateOf(agent)
    if (state.held.turn !== turn) state.held = { turn, count: 0 }
    const said = lastAssistantMessage(agent.session)
    const facts = {
      ...originOf(agent, this.projectDirectory),
      turnId: String(turn),
      ...(said === undefined ? {} : { lastAssistantMessage: said }),
    }
    const stopFacts = { ...facts, stopHookActive: state.held.count > 0 }
    const subagent = subagentOf(agent)
    const outcome = await this.fire(
      subagent === undefined ? { ...stopFacts, event: 'Stop' } : { ...stopFacts, ...subagent, event: 'SubagentStop' },
      agent,
      signal,
    )
    if (outcome.blocked && outcome.stop === undefined && !signal.aborted) {
      if (state.held.count < this.maxStopBlocks) {
        state.held.count += 1
        agent.steer(hookMessage('Stop', outcome.reason ?? 'go on'))
        return
      }
      this.tell(`hooks kept the turn from ending ${state.held.count} times; it ends now`)
    }
    const inputMessages = state.prompts.splice(0)
    await this.fire({ ...facts, event: 'AgentTurnComplete', inputMessages }, agent, signal)
  }

  /** Nobody waits for it but the plugin's own end. */
  private sessionEnd(agent: Agent): void {
    if (subagentOf(agent) !== undefined) return
    const event: HookEvent = { ...originOf(agent, this.projectDirectory), event: 'SessionEnd', reason: 'other' }
    const ending = this.fire(event, agent, this.unloading.signal)
    this.ending.add(ending)
    void ending.finally(() => this.ending.delete(ending))
  }

  /** Lets the hooks of ended sessions finish, for a short while. */
  private async settle(): Promise<void> {
    const timer = setTimeout(() => this.unloading.abort(), endGraceMs)
    await Promise.allSettled(this.ending)
    clearTimeout(timer)
    this.unloading.abort()
  }

  /** Fires an event and does what concerns the user and the whole agent. */
  private async fire(event: HookEvent, agent: Agent, signal: AbortSignal): Promise<HookOutcome> {
    const outcome = await (await this.hooks).run(event, { signal })
    for (const message of outcome.systemMessages) this.tell(message)
    if (outcome.stop !== undefined && event.event === 'SessionStart') {
      agent.cancel({ kind: 'hook', reason: outcome.stop.reason ?? 'a SessionStart hook stopped the agent' })
    }
    return outcome
  }

  private stateOf(agent: Agent): AgentState {
    const known = this.agents.get(agent)
    if (known !== undefined) return known
    const state: AgentState = { started: undefined, held: { turn: -1, count: 0 }, prompts: [] }
    this.agents.set(agent, state)
    return state
  }
}

const endGraceMs = 5_000

/** A turn that was cancelled waits for no hook. */
async function untilAborted(
  messages: Promise<readonly AgentMessage[]>,
  signal: AbortSignal,
): Promise<readonly AgentMessage[]> {
  if (signal.aborted) return []
  const settled = new AbortController()
  const aborted = once(signal, 'abort', { signal: settled.signal }).then(
    () => [],
    () => [], // the messages came first
  )
  try {
    return await Promise.race([messages, aborted])
  } finally {
    settled.abort()
  }
}

function subagentOf({ session }: Agent): { agentId: string; agentType: string } | undefined {
  const { origin, agentPreset } = session.header
  return origin === 'subagent' ? { agentId: session.id, agentType: agentPreset ?? 'general-purpose' } : undefined
}
