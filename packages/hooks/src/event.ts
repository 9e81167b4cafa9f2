/** Whose hook format a hook follows: its configuration, payload and decisions. */
export type HookDialect = 'claude-code' | 'codex'

/** What every event carries. */
interface EventOrigin {
  /** Names the session: it owns the command, which decides where that runs. Absent for a caller without one. */
  readonly sessionId?: string
  /** Absolute directory of the session in the commands' own world; the hook starts there. */
  readonly cwd: string
  /** The session's log, where there is one that a hook may read. */
  readonly transcriptPath?: string
  /** Default: `default`. */
  readonly permissionMode?: string
  /** The model's name; Codex hooks are told on every event. */
  readonly model?: string
  /** Names the turn; Codex hooks are told on every event within one. */
  readonly turnId?: string
  /** Of the subagent in which the event happened. */
  readonly agentId?: string
  readonly agentType?: string
}

/** One tool call, in the names of the program whose hooks are run. */
interface ToolFacts {
  readonly toolName: string
  /** Other names that a matcher may use for the same tool. */
  readonly toolAliases?: readonly string[]
  readonly toolInput: unknown
  readonly toolUseId?: string
}

interface StopFacts {
  /** The agent already goes on because an earlier hook asked it to. */
  readonly stopHookActive: boolean
  readonly lastAssistantMessage?: string
}

interface CompactFacts {
  readonly trigger: 'manual' | 'auto'
  readonly customInstructions?: string
}

interface SubagentFacts {
  readonly agentId: string
  readonly agentType: string
}

/** The events, each with what only it carries. */
interface EventFacts {
  /** Before a tool runs; can be denied, asked about, or rewritten. */
  PreToolUse: ToolFacts
  /** Before the user is asked whether a tool may run. */
  PermissionRequest: ToolFacts
  /** After a tool succeeded. */
  PostToolUse: ToolFacts & { readonly toolResponse: unknown }
  /** After a tool failed. */
  PostToolUseFailure: ToolFacts & { readonly error: string; readonly isInterrupt?: boolean }
  /** Before a prompt reaches the model. */
  UserPromptSubmit: { readonly prompt: string }
  Notification: { readonly message: string; readonly title?: string; readonly notificationType?: string }
  /** The agent is about to end its turn. */
  Stop: StopFacts
  SubagentStart: SubagentFacts
  SubagentStop: SubagentFacts & StopFacts & { readonly agentTranscriptPath?: string }
  PreCompact: CompactFacts
  PostCompact: CompactFacts
  SessionStart: { readonly source: 'startup' | 'resume' | 'clear' | 'compact' }
  SessionEnd: { readonly reason: string }
  /** A turn is over: what Codex gives to its `notify` program. */
  AgentTurnComplete: { readonly inputMessages: readonly string[]; readonly lastAssistantMessage?: string }
}

export type HookEventName = keyof EventFacts

/** Something that happened, or is about to, as a harness tells it. */
export type HookEvent<Name extends HookEventName = HookEventName> = {
  [Each in Name]: { readonly event: Each } & EventOrigin & EventFacts[Each]
}[Name]

const sharedEvents: readonly HookEventName[] = [
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'SessionStart',
]

/** The events that a program's hook tables may name. */
export const hookEvents: Readonly<Record<HookDialect, readonly HookEventName[]>> = {
  'claude-code': [...sharedEvents, 'PostToolUseFailure', 'Notification', 'SessionEnd'],
  codex: sharedEvents,
}

/** Names that a program's matchers may use for a tool of another name, by its manual. */
const toolAliases: Readonly<Record<HookDialect, Readonly<Record<string, readonly string[]>>>> = {
  'claude-code': { Agent: ['Task'], Task: ['Agent'] },
  codex: { apply_patch: ['Edit', 'Write'] },
}

/** What a matcher of this event is held against, aliases included; undefined where matchers mean nothing. */
export function matchedNames(event: HookEvent, dialect: HookDialect): readonly string[] | undefined {
  switch (event.event) {
    case 'PreToolUse':
    case 'PermissionRequest':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return [event.toolName, ...(event.toolAliases ?? []), ...(toolAliases[dialect][event.toolName] ?? [])]
    case 'SessionStart':
      return [event.source]
    case 'SessionEnd':
      return [event.reason]
    case 'PreCompact':
    case 'PostCompact':
      return [event.trigger]
    case 'SubagentStart':
    case 'SubagentStop':
      return [event.agentType]
    case 'Notification':
      return event.notificationType === undefined ? [] : [event.notificationType]
    case 'UserPromptSubmit':
    case 'Stop':
    case 'AgentTurnComplete':
      return undefined
  }
}
