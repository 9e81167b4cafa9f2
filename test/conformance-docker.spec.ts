import { Context } from '@deepseek-ai/cordis'
import { describeBashExecutor } from 'dsh-bash-conformance'
import DockerBashExecutor from 'dsh-bash-docker'
import { afterAll, describe, expect, it } from 'vitest'
import { dockerCapabilities } from './support/capabilities.ts'
import { type DockerWorld, dockerWorld } from './support/docker-world.ts'
import { engineSocketPath } from './support/engine.ts'
import { executorUnderTest } from './support/executor-under-test.ts'

const enginePath = await engineSocketPath()
let world: DockerWorld | undefined

describeBashExecutor(
  { describe, it, expect, afterAll },
  {
    name: 'bash-docker over exec',
    capabilities: dockerCapabilities,
    create: async (config) => {
      world ??= await dockerWorld(enginePath)
      process.env['TMPDIR'] = world.temporaryDirectory
      const ctx = new Context()
      const plugin = await ctx.plugin(DockerBashExecutor, {
        ...config,
        transport: 'exec',
        engine: { host: world.engineHost },
        workspace: { mode: 'bind', path: world.workdir, access: 'read-write' },
      })
      return executorUnderTest(ctx, plugin, world)
    },
  },
)
