import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { payloadOf } from '../src/payload.ts'
import { bashCall, promptEvent, startEvent, stopEvent } from './support/events.ts'

const read = (text: string): unknown => JSON.parse(text)

describe('the payload of Claude Code', () => {
  it('names a tool call', () => {
    expect(
      read(payloadOf('claude-code', bashCall('ls', { transcriptPath: '/t.jsonl', permissionMode: 'plan' }))),
    ).toEqual({
      session_id: 'session-a',
      transcript_path: '/t.jsonl',
      cwd: '/work',
      permission_mode: 'plan',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: 'call-1',
    })
  })

  it.each([
    [promptEvent('hello'), { prompt: 'hello' }],
    [stopEvent(true), { stop_hook_active: true }],
    [startEvent('resume'), { source: 'resume' }],
    [{ event: 'SessionEnd', cwd: '/work', reason: 'other' } as const, { reason: 'other' }],
    [
      { event: 'Notification', cwd: '/work', message: 'idle', notificationType: 'idle_prompt' } as const,
      { message: 'idle', notification_type: 'idle_prompt' },
    ],
    [
      { event: 'PreCompact', cwd: '/work', trigger: 'auto', customInstructions: '' } as const,
      { trigger: 'auto', custom_instructions: '' },
    ],
    [
      { ...bashCall('ls'), event: 'PostToolUse', toolResponse: { stdout: 'a' } } as const,
      { tool_name: 'Bash', tool_response: { stdout: 'a' } },
    ],
    [
      { event: 'SubagentStop', cwd: '/work', agentId: 'a', agentType: 'Explore', stopHookActive: false } as const,
      { agent_id: 'a', agent_type: 'Explore', stop_hook_active: false },
    ],
  ])('of $event has what only that event has', (event, fields) => {
    expect(read(payloadOf('claude-code', event))).toMatchObject({ hook_event_name: event.event, ...fields })
  })

  it('ends with its only newline', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (prompt) => {
        const payload = payloadOf('claude-code', promptEvent(prompt))
        expect(payload.indexOf('\n')).toBe(payload.length - 1)
        expect(read(payload)).toMatchObject({ prompt })
      }),
    )
  })
})

describe('the payload of Codex', () => {
  it('names a tool call, with the turn and the model', () => {
    expect(read(payloadOf('codex', bashCall('ls', { turnId: '7', model: 'm' })))).toEqual({
      session_id: 'session-a',
      turn_id: '7',
      transcript_path: null,
      cwd: '/work',
      hook_event_name: 'PreToolUse',
      model: 'm',
      permission_mode: 'default',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: 'call-1',
    })
  })

  it('has null where nothing is known, and no turn at the start of a session', () => {
    expect(read(payloadOf('codex', stopEvent()))).toMatchObject({ last_assistant_message: null, turn_id: '' })
    expect(read(payloadOf('codex', startEvent('startup')))).not.toHaveProperty('turn_id')
  })

  it('has no newline', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (prompt) => {
        expect(payloadOf('codex', promptEvent(prompt))).not.toContain('\n')
      }),
    )
  })

  it('tells a notify program of the end of a turn', () => {
    const event = {
      event: 'AgentTurnComplete',
      sessionId: 's',
      turnId: '3',
      cwd: '/work',
      inputMessages: ['do it'],
    } as const
    expect(read(payloadOf('codex', event))).toEqual({
      type: 'agent-turn-complete',
      'thread-id': 's',
      'turn-id': '3',
      cwd: '/work',
      'input-messages': ['do it'],
      'last-assistant-message': null,
    })
  })
})
