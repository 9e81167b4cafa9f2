import { isDeepStrictEqual } from 'node:util'
import type { Context } from '@deepseek-ai/cordis'
import type { PostToolDecision, PreToolDecision, ToolExecution, ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import type { HookEvent } from '../event.ts'
import type { Hooks } from '../hooks.ts'
import type { HookOutcome } from '../outcome.ts'
import { hookMessage, textOf } from './messages.ts'
import { originOf, type TellUser } from './origin.ts'
import { type NamedCall, namedCall, namedResponse } from './tool-names.ts'

/** Fires the events of tool calls: before one runs, and after. */
export class ToolHooks {
  private readonly hooks: Promise<Hooks>
  private readonly tell: TellUser
  private readonly projectDirectory: string
  private readonly toolNames: Readonly<Record<string, string>>
  /** The calls that no gate refused: only what began can be over. */
  private readonly begun = new WeakSet<ToolExecution['token']>()

  constructor(
    hooks: Promise<Hooks>,
    tell: TellUser,
    terms: { readonly projectDirectory: string; readonly toolNames: Readonly<Record<string, string>> },
  ) {
    this.hooks = hooks
    this.tell = tell
    this.projectDirectory = terms.projectDirectory
    this.toolNames = terms.toolNames
  }

  listen(ctx: Context): void {
    ctx.on('tools/pre-execute', (exec, next) => this.before(exec, next))
    ctx.on('tools/execute', (exec, next) => {
      this.begun.add(exec.token)
      return next()
    })
    ctx.on('tools/post-execute', (exec, result, next) => this.after(exec, result, next))
  }

  /** A hook can only make the other gates stricter: its `allow` is not one of theirs. */
  private async before(exec: ToolExecution, next: () => Promise<PreToolDecision>): Promise<PreToolDecision> {
    const facts = this.factsOf(exec)
    const outcome = await this.fire({ ...facts, event: 'PreToolUse' }, exec)
    const { reason = 'a hook objects' } = outcome
    if (outcome.blocked || outcome.stop !== undefined) {
      return { kind: 'deny', reason: `PreToolUse hook: ${outcome.stop?.reason ?? reason}` }
    }
    const rewrite = rewriteOf(facts, outcome)
    if (rewrite !== undefined) return { kind: 'deny', reason: rewrite }
    for (const text of outcome.additionalContexts) exec.agent?.inject(hookMessage('PreToolUse', text))
    const decision = await next()
    const asks = outcome.permission === 'ask' || outcome.permission === 'defer'
    return asks && decision.kind === 'allow' ? { kind: 'ask', reason } : decision
  }

  private async after(
    exec: ToolExecution,
    result: Readonly<ToolExecutionResult>,
    next: () => Promise<PostToolDecision>,
  ): Promise<PostToolDecision> {
    const decision = await next()
    if (!this.begun.has(exec.token)) return decision
    const facts = this.factsOf(exec)
    const event: HookEvent = result.isError
      ? { ...facts, event: 'PostToolUseFailure', error: result.error.message, isInterrupt: exec.signal.aborted }
      : {
          ...facts,
          event: 'PostToolUse',
          toolResponse: namedResponse(facts.toolName, result.value ?? textOf(result.content)),
        }
    const outcome = await this.fire(event, exec)
    const texts = [...(outcome.blocked ? [outcome.reason ?? 'a hook objects'] : []), ...outcome.additionalContexts]
    const additionalContexts = [
      ...(decision.additionalContexts ?? []),
      ...texts.map((text) => hookMessage(event.event, text)),
    ]
    const replaced = replacementOf(outcome)
    if (decision.kind === 'accept' && replaced !== undefined) {
      return { kind: 'accept', content: [{ type: 'text', text: replaced }], additionalContexts }
    }
    return additionalContexts.length === 0 ? decision : { ...decision, additionalContexts }
  }

  private factsOf(exec: ToolExecution): ReturnType<typeof originOf> & NamedCall & { toolUseId: string } {
    const call = namedCall(exec.name, exec.arguments, this.toolNames)
    return { ...originOf(exec.agent, this.projectDirectory), ...call, toolUseId: exec.callId }
  }

  private async fire(event: HookEvent, exec: ToolExecution): Promise<HookOutcome> {
    const outcome = await (await this.hooks).run(event, { signal: exec.signal })
    for (const message of outcome.systemMessages) this.tell(message)
    if (outcome.stop !== undefined) {
      exec.agent?.cancel({ kind: 'hook', reason: outcome.stop.reason ?? `a ${event.event} hook stopped the agent` })
    }
    return outcome
  }
}

/**
 * The harness has logged and shown the arguments already and takes no others. So the call as it stands
 * is refused, and the model is told which one the hook wants in its place.
 */
function rewriteOf({ toolInput }: NamedCall, { updatedInput }: HookOutcome): string | undefined {
  if (typeof updatedInput !== 'object' || updatedInput === null) return undefined
  const asked: Readonly<Record<string, unknown>> = { ...(toolInput as object) }
  if (Object.entries(updatedInput).every(([name, value]) => isDeepStrictEqual(value, asked[name]))) return undefined
  return `PreToolUse hook: call the tool again with these arguments: ${JSON.stringify(updatedInput)}`
}

function replacementOf({ updatedOutput }: HookOutcome): string | undefined {
  if (updatedOutput === undefined) return undefined
  return typeof updatedOutput === 'string' ? updatedOutput : JSON.stringify(updatedOutput)
}
