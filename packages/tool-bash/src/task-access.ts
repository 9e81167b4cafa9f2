import { type BashExecutor, type BashTask, BashTaskId } from 'dsh-bash'
import { SandboxError } from 'dsh-bash-error'
import type { TaskArguments } from './arguments.ts'
import type { ToolCall } from './tool-call.ts'

/**
 * The task that the caller named and may touch. Ids are predictable and an executor grants
 * nothing, so this check is the fence between sessions. An ownerless task is open to everyone.
 *
 * @throws `TASK_UNKNOWN`, `TASK_FORBIDDEN`
 */
export function accessibleTask(bash: BashExecutor, { task_id }: TaskArguments, { caller }: ToolCall): BashTask {
  const id = BashTaskId(task_id)
  const task = bash.get(id)
  if (task === undefined) {
    throw new SandboxError('TASK_UNKNOWN', `unknown bash task "${id}"`, { context: { taskId: id } })
  }
  const owner: string | undefined = bash.ownerOf(id)
  if (owner !== undefined && owner !== caller?.sessionId) {
    throw new SandboxError('TASK_FORBIDDEN', `task ${id} belongs to another session`, { context: { taskId: id } })
  }
  return task
}
