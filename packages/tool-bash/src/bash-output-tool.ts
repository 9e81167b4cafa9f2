import type { BashExecutor } from 'dsh-bash'
import { taskArguments } from './arguments.ts'
import { type ModelTool, modelTool } from './model-tool.ts'
import { renderBashOutput } from './render.ts'
import { accessibleTask } from './task-access.ts'
import { type BashOutputValue, bashOutputValue, toBashOutputValue } from './values.ts'

/** `bash_output`: what a background task printed since the last read. */
export function bashOutputTool(bash: BashExecutor): ModelTool<BashOutputValue> {
  return modelTool({
    name: 'bash_output',
    description:
      'Read what a background task has printed since the last read, without waiting. ' +
      'The result ends with `[status: …]`: running, completed with its exit code, or killed.',
    parameters: taskArguments,
    output: bashOutputValue,
    execute: (args, call) => toBashOutputValue(bash.readOutput(accessibleTask(bash, args, call).id)),
    render: renderBashOutput,
    presentCall: ({ task_id }) => ({
      card: 'generic',
      title: `Read output of background task ${task_id}`,
      kind: 'read',
      rawInput: task_id,
    }),
  })
}
