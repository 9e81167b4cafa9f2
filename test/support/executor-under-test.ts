import type { Context, Fiber } from '@deepseek-ai/cordis'
import type { ExecutorUnderTest, World } from 'dsh-bash-conformance'

/** An executor that was loaded into `ctx` as a plugin, as the suite wants it. */
export function executorUnderTest(ctx: Context, plugin: Fiber, world: World): ExecutorUnderTest {
  return {
    bash: ctx.bash,
    childScope: async () => {
      let scope = ctx
      const child = await ctx.plugin({
        inject: ['bash'],
        apply: (inner: Context) => {
          scope = inner
        },
      })
      return { bash: scope.bash, dispose: () => child.dispose() }
    },
    dispose: () => plugin.dispose(),
    world,
  }
}
