import type { BashExecutor } from 'dsh-bash'
import { bashKillTool } from './bash-kill-tool.ts'
import { bashOutputTool } from './bash-output-tool.ts'
import { bashTool } from './bash-tool.ts'
import type { ModelTool } from './model-tool.ts'

/** Every tool over one executor, in the order in which a harness registers them. */
export function bashTools(bash: BashExecutor): readonly ModelTool[] {
  return [bashTool(bash), bashOutputTool(bash), bashKillTool(bash)]
}
