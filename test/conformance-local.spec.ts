import { Context } from '@deepseek-ai/cordis'
import { describeBashExecutor, type HostWorld, hostWorld } from 'dsh-bash-conformance'
import LocalBashExecutor from 'dsh-bash-local'
import { describe, expect, it } from 'vitest'
import { localCapabilities } from './support/capabilities.ts'
import { executorUnderTest } from './support/executor-under-test.ts'

let world: HostWorld | undefined

describeBashExecutor(
  { describe, it, expect },
  {
    name: 'bash-local',
    capabilities: localCapabilities,
    create: async (config) => {
      world ??= await hostWorld()
      process.env['TMPDIR'] = world.temporaryDirectory
      const ctx = new Context()
      const plugin = await ctx.plugin(LocalBashExecutor, config)
      return executorUnderTest(ctx, plugin, world)
    },
  },
)
