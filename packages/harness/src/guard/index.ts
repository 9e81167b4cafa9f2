import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-tools'
import { pluginConfig } from 'dsh-bash-process'
import { z } from 'zod'

export const name = 'sandbox-docker-guard'

export const inject = ['tools']

/**
 * Tools that run what the model writes inside the harness itself, in a worker thread or as a plugin,
 * with everything that the harness may do. Their packages call that no security boundary.
 */
const hostCodeTools = ['run_code', 'workflow', 'cordis_define', 'cordis_run']

const configSchema = z.strictObject({
  /** Those that a deployment trusts its model with. */
  allow: z.array(z.string()).default([]),
})

export const Config = pluginConfig('sandbox-docker/guard', configSchema)

/** Denies the model whatever would run its code on the host, also where an agent preset offers it. */
export function apply(ctx: Context, config: z.input<typeof configSchema>): void {
  const { allow } = configSchema.parse(config)
  const denied = new Set(hostCodeTools.filter((tool) => !allow.includes(tool)))
  ctx.effect(() =>
    ctx.tools.guard(({ name: tool }) =>
      denied.has(tool)
        ? `${tool} runs code on the host, outside the container that this session is confined to; use bash instead`
        : undefined,
    ),
  )
}
