import { Context } from '@deepseek-ai/cordis'
import type { BashExecutor } from 'dsh-bash'

/**
 * Loads an executor plugin into a context of its own, for callers without a harness. Disposing the
 * executor ends everything it started.
 */
export async function loadStandalone<Executor extends BashExecutor, Config>(
  plugin: new (ctx: Context, config: Config) => Executor,
  config: Config,
): Promise<Executor> {
  const ctx = new Context()
  await ctx.plugin(plugin, config)
  return ctx.bash as Executor
}
