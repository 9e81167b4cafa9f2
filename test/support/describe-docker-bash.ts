import { Context } from '@deepseek-ai/cordis'
import { type Capabilities, describeBashExecutor, type Timing } from 'dsh-bash-conformance'
import DockerBashExecutor, { type DockerBashConfig } from 'dsh-bash-docker'
import { afterAll, describe, expect, it } from 'vitest'
import { type DockerWorld, dockerWorld } from './docker-world.ts'
import { engineSocketPath } from './engine.ts'
import { executorUnderTest } from './executor-under-test.ts'

/** A busy machine with two processors starts a process late. */
const slackMs = 4000

/** Runs the suite on `bash-docker` in one of its ways. */
export async function describeDockerBash(
  name: string,
  capabilities: Capabilities,
  config: DockerBashConfig,
  timing: Partial<Timing> = {},
): Promise<void> {
  const enginePath = await engineSocketPath()
  let world: DockerWorld | undefined
  describeBashExecutor(
    { describe, it, expect, afterAll },
    {
      name,
      capabilities,
      timing: { slackMs, promptMs: slackMs, ...timing },
      create: async (wanted) => {
        world ??= await dockerWorld(enginePath)
        process.env['TMPDIR'] = world.temporaryDirectory
        const ctx = new Context()
        const plugin = await ctx.plugin(DockerBashExecutor, {
          ...config,
          ...wanted,
          engine: { host: world.engineHost },
          workspace: { mode: 'bind', path: world.workdir, access: 'read-write' },
        })
        return executorUnderTest(ctx, plugin, world)
      },
    },
  )
}
