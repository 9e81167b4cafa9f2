import type { Context } from '@deepseek-ai/cordis'
import { loadStandalone, pluginConfig, ProcessBashExecutor } from 'dsh-bash-process'
import { configSchema, type DockerBashConfig, resolveConfig } from './config.ts'
import { DockerProcessHost } from './docker-process-host.ts'

/** `ctx.bash` in hardened containers: one for each session, and never on the host. */
export class DockerBashExecutor extends ProcessBashExecutor {
  static readonly Config = pluginConfig('bash-docker', configSchema)

  constructor(ctx: Context, config: DockerBashConfig = {}) {
    const resolved = resolveConfig(config)
    super(ctx, resolved, new DockerProcessHost(resolved))
  }
}

/**
 * The Docker executor for callers without a harness: `await using bash = await createDockerBash()`.
 * The engine is first asked when the first command runs.
 *
 * @throws `CONFIG_INVALID`
 */
export function createDockerBash(config: DockerBashConfig = {}): Promise<DockerBashExecutor> {
  return loadStandalone(DockerBashExecutor, config)
}
