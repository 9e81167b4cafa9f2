import type { BashExecutor } from 'dsh-bash'
import { taskArguments } from './arguments.ts'
import { type ModelTool, modelTool } from './model-tool.ts'
import { renderBashKill } from './render.ts'
import { accessibleTask } from './task-access.ts'
import { type BashKillValue, bashKillValue, toTaskValue } from './values.ts'

/** `bash_kill`: ends a background task and every process of it. */
export function bashKillTool(bash: BashExecutor): ModelTool<BashKillValue> {
  return modelTool({
    name: 'bash_kill',
    description:
      'End a background task with all its processes. Its remaining output stays readable with `bash_output`.',
    parameters: taskArguments,
    output: bashKillValue,
    execute(args, call) {
      const task = accessibleTask(bash, args, call)
      const wasRunning = bash.kill(task.id)
      return { wasRunning, task: toTaskValue(task) }
    },
    render: renderBashKill,
    presentCall: ({ task_id }) => ({
      card: 'generic',
      title: `Kill background task ${task_id}`,
      kind: 'execute',
      rawInput: task_id,
    }),
  })
}
