import { inheritanceSchema, parseConfig } from 'dsh-bash-process'
import { sandboxConfigShape } from 'dsh-container'
import { z } from 'zod'

const absolutePath = z.string().regex(/^\/[^\0]*$/, 'must be an absolute path without NUL')

/** Read-only unless a deployment says otherwise; the bundle's patch does, as the harness's own mode says. */
const access = z.enum(['read-only', 'read-write']).default('read-only')

export const worldConfigSchema = z.strictObject({
  ...sandboxConfigShape,
  /** The folder that sessions of the harness work in, at the same absolute path. Default: the harness's directory. */
  workspace: z.strictObject({ path: absolutePath.optional(), access }).prefault({}),
  /** Other folders and files of the host, at the same absolute paths; an optional one that is absent is left out. */
  paths: z.array(z.strictObject({ path: absolutePath, access, optional: z.boolean().default(false) })).default([]),
  /** What processes get of the harness's environment: scrubbed, none, or these names verbatim. */
  inherit: inheritanceSchema.default('scrubbed'),
  /** Whether the container starts when the plugin loads, which then fails without an engine, or with its first use. */
  start: z.enum(['load', 'first-use']).default('load'),
  /**
   * The harness calls its own ripgrep by a path of the host: that program is shown to the container,
   * or the image's `rg` runs in its place.
   */
  ripgrep: z.enum(['host', 'image']).default('host'),
})

/** What a deployment may set; every field has a documented default. Nothing a model says changes it. */
export type DockerWorldConfig = z.input<typeof worldConfigSchema>

type ParsedConfig = z.output<typeof worldConfigSchema>

/** All defaults filled in. */
export interface ResolvedWorldConfig extends Omit<ParsedConfig, 'workspace'> {
  readonly workspace: { readonly path: string; readonly access: 'read-only' | 'read-write' }
}

/**
 * Reads a configuration, all defaults filled in.
 *
 * @throws `CONFIG_INVALID`
 */
export function resolveWorldConfig(input: unknown): ResolvedWorldConfig {
  const config = parseConfig('sandbox-docker', worldConfigSchema, input)
  return { ...config, workspace: { ...config.workspace, path: config.workspace.path ?? process.cwd() } }
}
