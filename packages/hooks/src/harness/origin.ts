import type { Agent } from '@deepseek-ai/dsh-agent'
import type { HookEvent } from '../event.ts'

/** Says something to the person who watches the agent. */
export type TellUser = (text: string) => void

/** The members of an event that say whose it is. */
export type HookOrigin = Pick<HookEvent, 'sessionId' | 'cwd' | 'model'>

/** A caller without an agent has no session; its hooks run in the project. */
export function originOf(agent: Agent | undefined, projectDirectory: string): HookOrigin {
  if (agent === undefined) return { cwd: projectDirectory }
  const { session, options } = agent
  return {
    sessionId: session.id,
    cwd: session.header.cwd ?? projectDirectory,
    ...(options.model === undefined ? {} : { model: options.model }),
  }
}
