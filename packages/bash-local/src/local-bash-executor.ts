import type { Context } from '@deepseek-ai/cordis'
import { executorConfigShape, loadStandalone, parseConfig, pluginConfig, ProcessBashExecutor } from 'dsh-bash-process'
import { z } from 'zod'
import { LocalProcessHost } from './local-process-host.ts'

const configSchema = z.strictObject(executorConfigShape)

/** What a deployment may set; every field has a documented default. */
export type LocalBashConfig = z.input<typeof configSchema>

/** `ctx.bash` on this host: commands run with the authority of the harness, unconfined. */
export class LocalBashExecutor extends ProcessBashExecutor {
  static readonly Config = pluginConfig('bash-local', configSchema)

  constructor(ctx: Context, config: LocalBashConfig = {}) {
    const resolved = parseConfig('bash-local', configSchema, config)
    super(ctx, resolved, new LocalProcessHost(resolved.graceMs))
  }
}

/**
 * The local executor for callers without a harness: `await using bash = await createLocalBash()`.
 *
 * @throws `CONFIG_INVALID`
 */
export function createLocalBash(config: LocalBashConfig = {}): Promise<LocalBashExecutor> {
  return loadStandalone(LocalBashExecutor, config)
}
