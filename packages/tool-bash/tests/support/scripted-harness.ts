import * as toolBash from '../../src/index.ts'
import { Harness } from './harness.ts'
import { ScriptedBashExecutor } from './scripted-bash-executor.ts'

/** The harness with the plugin over a scripted executor. */
export async function scriptedHarness(
  options?: Parameters<typeof Harness.start>[0],
): Promise<Harness & { readonly bash: ScriptedBashExecutor }> {
  const harness = await Harness.start(options)
  await harness.ctx.plugin(ScriptedBashExecutor)
  await harness.ctx.plugin(toolBash)
  return Object.assign(harness, { bash: harness.ctx.bash as ScriptedBashExecutor })
}
