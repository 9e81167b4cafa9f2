import { z } from 'zod'
import type { HookDialect, HookEvent, HookEventName } from './event.ts'

/** What may become of a tool call. */
export type HookPermission = 'allow' | 'ask' | 'defer' | 'deny'

/** What one hook decided; absent members were left open. */
export interface HookDecision {
  readonly permission?: HookPermission
  /** The event may not go on, or, after a tool, has to be answered. */
  readonly blocks?: true
  /** Why, for the model; of an `ask`, for the user. */
  readonly reason?: string
  /** The agent has to stop altogether; the reason is for the user. */
  readonly stop?: { readonly reason?: string }
  /** Takes the place of a tool's input. */
  readonly updatedInput?: unknown
  /** Takes the place of a tool's result. */
  readonly updatedOutput?: unknown
  /** For the model. */
  readonly additionalContext?: string
  /** For the user. */
  readonly systemMessage?: string
  /** Its output is not to be shown. */
  readonly suppressOutput?: true
}

/** A decision, or what is wrong with it. */
export type ReadDecision = { readonly decision: HookDecision } | { readonly invalid: string }

const text = z.string().nullish()

const outputSchema = z.looseObject({
  continue: z.boolean().nullish(),
  stopReason: text,
  suppressOutput: z.boolean().nullish(),
  systemMessage: text,
  decision: z.enum(['approve', 'block']).nullish(),
  reason: text,
  hookSpecificOutput: z
    .looseObject({
      hookEventName: text,
      permissionDecision: z.enum(['allow', 'ask', 'defer', 'deny']).nullish(),
      permissionDecisionReason: text,
      updatedInput: z.record(z.string(), z.unknown()).nullish(),
      updatedToolOutput: z.unknown().optional(),
      additionalContext: text,
      decision: z
        .looseObject({
          behavior: z.enum(['allow', 'deny']),
          message: text,
          updatedInput: z.record(z.string(), z.unknown()).nullish(),
        })
        .nullish(),
    })
    .nullish(),
})

type HookOutput = z.output<typeof outputSchema>

/** Reads the JSON that a hook printed. */
export function readDecision(json: string, dialect: HookDialect, event: HookEvent): ReadDecision {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return { invalid: 'it begins like a JSON object and is none' } // the parser's words quote the output
  }
  const parsed = outputSchema.safeParse(value)
  if (!parsed.success) {
    return { invalid: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') }
  }
  const output = parsed.data
  const named = output.hookSpecificOutput?.hookEventName ?? undefined
  if (named !== undefined && named !== event.event) return { invalid: `hookSpecificOutput is for ${named}` }
  const decision = present({ ...general(output), ...specific(output, event.event) })
  const invalid = dialect === 'codex' ? codexRefusal(decision, event.event) : undefined
  return invalid === undefined ? { decision } : { invalid }
}

function general(output: HookOutput): Loose {
  return {
    stop: output.continue === false ? present({ reason: output.stopReason ?? undefined }) : undefined,
    suppressOutput: output.suppressOutput === true ? true : undefined,
    systemMessage: output.systemMessage ?? undefined,
    additionalContext: output.hookSpecificOutput?.additionalContext ?? undefined,
    reason: output.reason ?? undefined,
    blocks: output.decision === 'block' ? true : undefined,
    updatedOutput: output.hookSpecificOutput?.updatedToolOutput,
  }
}

/** Permission, of the two events that have one; the newer spelling wins over the older. */
function specific({ decision, hookSpecificOutput }: HookOutput, event: HookEventName): Loose {
  if (event === 'PermissionRequest') {
    const asked = hookSpecificOutput?.decision ?? undefined
    if (asked === undefined) return {}
    const { behavior, message, updatedInput } = asked
    const blocks = behavior === 'deny' ? (true as const) : undefined
    return { permission: behavior, blocks, reason: message ?? undefined, updatedInput: updatedInput ?? undefined }
  }
  if (event !== 'PreToolUse') return {}
  const newer = hookSpecificOutput?.permissionDecision ?? undefined
  const older = decision === 'block' ? 'deny' : decision === 'approve' ? 'allow' : undefined
  const permission = newer ?? older
  const reason = newer === undefined ? undefined : (hookSpecificOutput?.permissionDecisionReason ?? undefined)
  return {
    permission,
    blocks: permission === 'deny' ? true : undefined,
    updatedInput: hookSpecificOutput?.updatedInput ?? undefined,
    ...(reason === undefined ? {} : { reason }),
  }
}

/** What Codex takes for an error of the hook, which then decides nothing. */
function codexRefusal(decision: HookDecision, event: HookEventName): string | undefined {
  const { permission, blocks, reason, updatedInput } = decision
  if (blocks === true && (reason ?? '').trim() === '' && event !== 'PermissionRequest')
    return 'it blocks without a reason'
  if (event !== 'PreToolUse') return undefined
  if (decision.stop !== undefined) return 'continue: false is not for this event'
  if (permission === 'ask' || permission === 'defer') return `permissionDecision: ${permission} is not for Codex`
  if (updatedInput !== undefined && permission !== 'allow') return 'updatedInput needs permissionDecision: allow'
  return undefined
}

type Loose = { readonly [Key in keyof HookDecision]: HookDecision[Key] | undefined }

/** The object without the members that are undefined. */
function present<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>
  }
}
