import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-tools'
import { bashTools } from './bash-tools.ts'
import { harnessTool } from './harness-tool.ts'
import { noticeTaskEnd } from './task-notice.ts'

export const name = 'tool-bash'

/** The plugin is pending until both exist and unloads with either. */
export const inject = ['tools', 'bash']

/** Registers the tools with `ctx.tools` and reports the end of owned tasks, until the plugin unloads. */
export function apply(ctx: Context): void {
  for (const tool of bashTools(ctx.bash)) ctx.tools.register(harnessTool(tool))
  ctx.bash.onTaskDone((task) => noticeTaskEnd(ctx, task))
}
