import { randomUUID } from 'node:crypto'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { BashTask } from 'dsh-bash'
import { taskStatus } from './render.ts'
import { toTaskValue } from './values.ts'

type AgentMessage = Parameters<Agent['inject']>[0]

/**
 * Tells the live agent of the session that owns a task that the task has ended. Without an owner,
 * without agents or without that agent there is nobody to tell.
 *
 * The notice waits for the agent's next step and does not wake an idle one: a task that ends is
 * no reason to start a turn that nobody asked for.
 */
export function noticeTaskEnd(ctx: Context, task: BashTask): void {
  const owner: string | undefined = ctx.bash.ownerOf(task.id)
  if (owner === undefined) return
  ctx
    .get('agents')
    ?.get(owner as Agent['id'])
    ?.inject(taskNotice(task))
}

// Built here and not with the harness's own constructor: the harness is an optional peer, of which
// nothing is imported at run time.
function taskNotice(task: BashTask): AgentMessage {
  const summary = `background task ${task.id} ended ${taskStatus(toTaskValue(task))}`
  return {
    id: randomUUID() as AgentMessage['id'],
    role: 'user',
    content: [{ type: 'text', text: `${summary}. Read its output with bash_output.` }],
    source: { kind: 'plugin', plugin: 'tool-bash', form: 'notice', summary },
  }
}
