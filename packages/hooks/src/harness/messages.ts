import { randomUUID } from 'node:crypto'
import type { Agent } from '@deepseek-ai/dsh-agent'

/** A message with the user's role, as the harness keeps it. */
export type AgentMessage = Parameters<Agent['inject']>[0]

const maxSummaryLength = 120

/**
 * What hooks say to the model. Built here and not with the harness's own constructor: the harness is
 * an optional peer, of which nothing is imported at run time.
 */
export function hookMessage(event: string, text: string): AgentMessage {
  const summary = `${event} hook: ${text.split('\n', 1)[0]}`.slice(0, maxSummaryLength)
  return {
    id: randomUUID() as AgentMessage['id'],
    role: 'user',
    content: [{ type: 'text', text: `${event} hook: ${text}` }],
    source: { kind: 'plugin', plugin: 'hooks', form: 'notice', summary },
  }
}

/** The text of a message or of a result. */
export function textOf(content: readonly { readonly type: string; readonly text?: unknown }[]): string {
  return content.map((block) => (block.type === 'text' ? String(block.text) : '')).join('')
}

/** What the model said last in a session; undefined when it said nothing. */
export function lastAssistantMessage(session: Agent['session']): string | undefined {
  const said = session.events.findLast(({ type }) => type === 'assistant/message')
  return said?.type === 'assistant/message' ? textOf(said.data.message.content) : undefined
}
