import { homedir } from 'node:os'
import { join } from 'node:path'
import { SandboxError } from 'dsh-bash-error'
import { z } from 'zod'

const absolutePath = z.string().regex(/^\/[^\0]*$/, 'must be an absolute path without NUL')
const maxTimerMs = 2_147_483_647

const claudeCodeSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** The user's folder. Default: `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  directory: absolutePath.optional(),
  /** Settings that an administrator put there; they win over every other. */
  managedFile: absolutePath.default('/etc/claude-code/managed-settings.json'),
  /** Roots of the plugins whose hooks are run. */
  plugins: z.array(absolutePath).default([]),
})

const codexSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** The user's folder. Default: `CODEX_HOME`, else `~/.codex`. */
  directory: absolutePath.optional(),
})

export const configShape = {
  /** `CLAUDE_PROJECT_DIR`, and the folder whose own hooks are read when it is trusted. Default: the process's own. */
  projectDirectory: absolutePath.optional(),
  /** Whether the project brings hooks of its own: whoever wrote the project then runs commands here. */
  trustProject: z.boolean().default(false),
  claudeCode: claudeCodeSchema.default(claudeCodeSchema.parse({})),
  codex: codexSchema.default(codexSchema.parse({})),
  /** Variables for every hook, over all others. */
  env: z.record(z.string(), z.string()).default({}),
  /** Milliseconds for a hook that names no time of its own; the executor's cap applies to both. */
  defaultTimeoutMs: z.number().positive().max(maxTimerMs).default(600_000),
  /** Bytes of one stream of a hook that are read. */
  maxOutputBytes: z.number().int().positive().default(1_048_576),
}

const configSchema = z.strictObject(configShape)

/** Which hooks there are, and how they are run. */
export type HooksConfig = z.input<typeof configSchema>

/** The same with every default filled in. */
export interface ResolvedHooksConfig extends Omit<z.output<typeof configSchema>, 'claudeCode' | 'codex'> {
  readonly projectDirectory: string
  readonly claudeCode: z.output<typeof claudeCodeSchema> & { readonly directory: string }
  readonly codex: z.output<typeof codexSchema> & { readonly directory: string }
}

/**
 * Reads a configuration, all defaults filled in.
 *
 * @throws `CONFIG_INVALID`
 */
export function resolveHooksConfig(input: HooksConfig): ResolvedHooksConfig {
  const config = parseHooksConfig(configSchema, input)
  const { claudeCode, codex } = config
  return {
    ...config,
    projectDirectory: config.projectDirectory ?? process.cwd(),
    claudeCode: { ...claudeCode, directory: claudeCode.directory ?? ownDirectory('CLAUDE_CONFIG_DIR', '.claude') },
    codex: { ...codex, directory: codex.directory ?? ownDirectory('CODEX_HOME', '.codex') },
  }
}

/** @throws `CONFIG_INVALID` that names each wrong or unknown field */
export function parseHooksConfig<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map((issue) => {
    const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys : []
    return [...issue.path.map(String), ...unknownKeys].join('.') || 'config'
  })
  const problems = parsed.error.issues.map(({ message }, at) => `${fields[at]}: ${message}`)
  throw new SandboxError('CONFIG_INVALID', `hooks: ${problems.join('; ')}`, {
    context: { fields },
    cause: parsed.error,
  })
}

function ownDirectory(variable: string, name: string): string {
  const set = process.env[variable]
  return set?.startsWith('/') === true ? set : join(homedir(), name)
}
