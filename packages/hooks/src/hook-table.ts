import { messageOf, type SandboxError } from 'dsh-bash-error'
import { z } from 'zod'
import { type HookEventName, hookEvents } from './event.ts'
import type { HookHandler, HookSource } from './handler.ts'
import { parseMatcher } from './matcher.ts'
import { fileProblem } from './problem.ts'

/** The hooks of one file, and what could not be used of it. */
export interface HookTable {
  readonly handlers: readonly HookHandler[]
  readonly problems: readonly SandboxError[]
}

const groupSchema = z.looseObject({ matcher: z.string().nullish(), hooks: z.array(z.unknown()) })

const typeSchema = z.looseObject({ type: z.string() })

const commandSchema = z.looseObject({
  command: z.string().refine((command) => command.trim() !== '', 'is blank'),
  args: z.array(z.string()).nullish(),
  /** Seconds. */
  timeout: z.number().positive().max(2_147_483).nullish(),
  async: z.boolean().nullish(),
  asyncRewake: z.boolean().nullish(),
  if: z.string().nullish(),
  shell: z.literal('bash', 'is not bash').nullish(),
})

/** Members of Codex's table that are not events. */
const notEvents = new Set(['state', 'managed_dir', 'windows_managed_dir'])

/**
 * Reads the table that both programs use: event → groups with a matcher → hooks. What is wrong in it
 * costs that entry alone.
 */
export function readHookTable(hooks: unknown, source: HookSource): HookTable {
  const handlers: HookHandler[] = []
  const problems: SandboxError[] = []
  const refuse = (code: 'HOOK_CONFIG_INVALID' | 'HOOK_UNSUPPORTED', field: string, message: string): void => {
    problems.push(fileProblem(code, source, field, message))
  }
  if (hooks === undefined) return { handlers, problems }
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) {
    refuse('HOOK_CONFIG_INVALID', 'hooks', 'it is not an object')
    return { handlers, problems }
  }
  for (const [name, groups] of Object.entries(hooks)) {
    const field = `hooks.${name}`
    const event = hookEvents[source.dialect].find((known) => known === name)
    if (notEvents.has(name)) continue
    if (event === undefined) refuse('HOOK_UNSUPPORTED', field, 'there is no such event here')
    else if (!Array.isArray(groups)) refuse('HOOK_CONFIG_INVALID', field, 'it is not an array')
    else groups.forEach((group, at) => readGroup(group, event, `${field}.${at}`))
  }
  return { handlers, problems }

  function readGroup(group: unknown, event: HookEventName, field: string): void {
    const parsed = groupSchema.safeParse(group)
    if (!parsed.success) return refuse('HOOK_CONFIG_INVALID', field, issuesOf(parsed.error))
    const matcher = parsed.data.matcher ?? undefined
    try {
      parseMatcher(matcher, source.dialect)
    } catch (error) {
      return refuse('HOOK_CONFIG_INVALID', `${field}.matcher`, messageOf(error))
    }
    parsed.data.hooks.forEach((hook, at) => readHook(hook, { event, matcher }, `${field}.hooks.${at}`))
  }

  function readHook(hook: unknown, group: Pick<HookHandler, 'event' | 'matcher'>, field: string): void {
    const typed = typeSchema.safeParse(hook)
    if (!typed.success) return refuse('HOOK_CONFIG_INVALID', field, issuesOf(typed.error))
    if (typed.data.type !== 'command') {
      return refuse('HOOK_UNSUPPORTED', field, `hooks of type ${typed.data.type} are not run here`)
    }
    const parsed = commandSchema.safeParse(hook)
    if (!parsed.success) return refuse('HOOK_CONFIG_INVALID', field, issuesOf(parsed.error))
    const { command, args, timeout, async: isAsync, asyncRewake, if: rule } = parsed.data
    handlers.push({
      ...group,
      source,
      command,
      args: args ?? undefined,
      timeoutMs: typeof timeout === 'number' ? timeout * 1000 : undefined,
      isAsync: isAsync === true || asyncRewake === true,
      rule: rule ?? undefined,
      payload: 'stdin',
    })
  }
}

function issuesOf({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(': '))
    .join('; ')
}
