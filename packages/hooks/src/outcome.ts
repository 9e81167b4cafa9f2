import type { HookPermission } from './decision.ts'
import type { HookRun } from './hook-run.ts'

/** What all hooks of one event decided together. */
export interface HookOutcome {
  /** The strictest that any hook gave: deny over defer over ask over allow. */
  readonly permission?: HookPermission
  /** A hook objects. After a tool, its reason is for the model, and nothing is undone. */
  readonly blocked: boolean
  /** Why, in the words of every hook that objected or asked. */
  readonly reason?: string
  /** The agent has to stop altogether; this wins over `blocked`. */
  readonly stop?: { readonly reason?: string }
  /** The tool's new input: of several, that of the hook which ended last. Never beside a denial. */
  readonly updatedInput?: unknown
  readonly updatedOutput?: unknown
  /** For the model, in the order of configuration. */
  readonly additionalContexts: readonly string[]
  /** For the user. */
  readonly systemMessages: readonly string[]
  /** Every hook that was meant, in the order of configuration. */
  readonly runs: readonly HookRun[]
}

const strictest: readonly HookPermission[] = ['deny', 'defer', 'ask', 'allow']

/**
 * Puts decisions together. Hooks run at once and know nothing of each other, so none can undo what
 * another said.
 *
 * @param ended the same runs, in the order in which they ended
 */
export function combineRuns(runs: readonly HookRun[], ended: readonly HookRun[]): HookOutcome {
  const decisions = runs.map(({ decision }) => decision)
  const permission = strictest.find((candidate) => decisions.some((decision) => decision.permission === candidate))
  const blocked = decisions.some(({ blocks }) => blocks === true)
  const decisive = decisions.filter((decision) =>
    blocked ? decision.blocks === true : decision.permission === permission,
  )
  const reasons = decisive.flatMap(({ reason }) => reason ?? [])
  const stops = decisions.flatMap(({ stop }) => stop ?? [])
  const stopReasons = stops.flatMap(({ reason }) => reason ?? [])
  const updatedInput = blocked ? undefined : ended.findLast(({ decision }) => 'updatedInput' in decision)?.decision
  const updatedOutput = ended.findLast(({ decision }) => 'updatedOutput' in decision)?.decision
  return {
    ...(permission === undefined ? {} : { permission }),
    blocked,
    ...(reasons.length === 0 ? {} : { reason: reasons.join('\n\n') }),
    ...(stops.length === 0 ? {} : { stop: stopReasons.length === 0 ? {} : { reason: stopReasons.join('\n\n') } }),
    ...(updatedInput === undefined ? {} : { updatedInput: updatedInput.updatedInput }),
    ...(updatedOutput === undefined ? {} : { updatedOutput: updatedOutput.updatedOutput }),
    additionalContexts: decisions.flatMap(({ additionalContext }) => additionalContext ?? []),
    systemMessages: decisions.flatMap(({ systemMessage }) => systemMessage ?? []),
    runs,
  }
}
