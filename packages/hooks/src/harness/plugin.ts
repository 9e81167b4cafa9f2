import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-tools'
import { z } from 'zod'
import { configShape, parseHooksConfig, resolveHooksConfig } from '../config.ts'
import { createHooks } from '../hooks.ts'
import { AgentHooks } from './agent-hooks.ts'
import { ToolHooks } from './tool-hooks.ts'

export const name = 'hooks'

/** The plugin is pending until both exist and unloads with either. */
export const inject = ['bash', 'tools']

const pluginSchema = z.strictObject({
  ...configShape,
  /** Further names of tools: the harness's → the one that hook files use. */
  toolNames: z.record(z.string(), z.string()).default({}),
  /** How often in one turn hooks may keep the agent from stopping. */
  maxStopBlocks: z.number().int().positive().default(8),
})

/** What the plugin takes; every field has a documented default. */
export type HooksPluginConfig = z.input<typeof pluginSchema>

/** Fails with our own error, where the harness validates through the Standard Schema interface. */
export const Config: typeof pluginSchema = Object.create(pluginSchema, {
  '~standard': {
    value: {
      ...pluginSchema['~standard'],
      validate: (input: unknown) => ({ value: parseHooksConfig(pluginSchema, input) }),
    },
  },
})

/**
 * Fires the hooks of Claude Code and Codex from the agent loop of the harness, until the plugin unloads.
 *
 * @throws `CONFIG_INVALID`
 */
export function apply(ctx: Context, input: HooksPluginConfig = {}): void {
  const { toolNames, maxStopBlocks, ...config } = parseHooksConfig(pluginSchema, input)
  const { projectDirectory } = resolveHooksConfig(config)
  // Read once: what the commands of a session write there later changes nothing.
  const hooks = createHooks({ ...config, bash: ctx.bash })
  hooks.catch(() => undefined) // whoever fires an event is told
  const tell = (text: string): void => console.error(`hooks: ${text}`)
  new ToolHooks(hooks, tell, { projectDirectory, toolNames }).listen(ctx)
  new AgentHooks(hooks, tell, { projectDirectory, maxStopBlocks }).listen(ctx)
}
