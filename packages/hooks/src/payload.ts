import type { HookDialect, HookEvent } from './event.ts'

/**
 * What a hook reads of its event. Claude Code ends it with a newline, Codex does not.
 *
 * @throws `TypeError` when the event holds what JSON cannot express
 */
export function payloadOf(dialect: HookDialect, event: HookEvent): string {
  if (event.event === 'AgentTurnComplete') return JSON.stringify(notification(event))
  return dialect === 'claude-code'
    ? `${JSON.stringify(claudeCodePayload(event))}\n`
    : JSON.stringify(codexPayload(event))
}

type TableEvent = Exclude<HookEvent, { event: 'AgentTurnComplete' }>

function claudeCodePayload(event: TableEvent): object {
  return {
    session_id: event.sessionId ?? '',
    transcript_path: event.transcriptPath ?? '',
    cwd: event.cwd,
    permission_mode: event.permissionMode ?? 'default',
    hook_event_name: event.event,
    agent_id: event.agentId,
    agent_type: event.agentType,
    ...(event.event === 'SessionStart' ? { model: event.model } : {}),
    ...eventFields(event),
  }
}

function codexPayload(event: TableEvent): object {
  const fields = eventFields(event)
  const nullable = ['last_assistant_message', 'agent_transcript_path'].filter((name) => name in fields)
  return {
    session_id: event.sessionId ?? '',
    turn_id: event.event === 'SessionStart' ? undefined : (event.turnId ?? ''),
    transcript_path: event.transcriptPath ?? null,
    cwd: event.cwd,
    hook_event_name: event.event,
    model: event.model ?? '',
    permission_mode: event.permissionMode ?? 'default',
    agent_id: event.agentId,
    agent_type: event.agentType,
    ...fields,
    ...Object.fromEntries(nullable.map((name) => [name, fields[name] ?? null])),
  }
}

/** What only this event has, in the names of both formats. Undefined members do not appear in the JSON. */
function eventFields(event: TableEvent): Record<string, unknown> {
  switch (event.event) {
    case 'PreToolUse':
    case 'PermissionRequest':
      return toolFields(event)
    case 'PostToolUse':
      return { ...toolFields(event), tool_response: event.toolResponse }
    case 'PostToolUseFailure':
      return { ...toolFields(event), error: event.error, is_interrupt: event.isInterrupt }
    case 'UserPromptSubmit':
      return { prompt: event.prompt }
    case 'Notification':
      return { message: event.message, title: event.title, notification_type: event.notificationType }
    case 'Stop':
      return stopFields(event)
    case 'SubagentStart':
      return {}
    case 'SubagentStop':
      return { ...stopFields(event), agent_transcript_path: event.agentTranscriptPath }
    case 'PreCompact':
    case 'PostCompact':
      return { trigger: event.trigger, custom_instructions: event.customInstructions }
    case 'SessionStart':
      return { source: event.source }
    case 'SessionEnd':
      return { reason: event.reason }
  }
}

function toolFields(
  event: HookEvent<'PreToolUse' | 'PermissionRequest' | 'PostToolUse' | 'PostToolUseFailure'>,
): Record<string, unknown> {
  return { tool_name: event.toolName, tool_input: event.toolInput, tool_use_id: event.toolUseId }
}

function stopFields(event: HookEvent<'Stop' | 'SubagentStop'>): Record<string, unknown> {
  return { stop_hook_active: event.stopHookActive, last_assistant_message: event.lastAssistantMessage }
}

function notification(event: HookEvent<'AgentTurnComplete'>): object {
  return {
    type: 'agent-turn-complete',
    'thread-id': event.sessionId ?? '',
    'turn-id': event.turnId ?? '',
    cwd: event.cwd,
    'input-messages': event.inputMessages,
    'last-assistant-message': event.lastAssistantMessage ?? null,
  }
}
