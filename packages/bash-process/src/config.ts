import { SandboxError } from 'dsh-bash-error'
import { z } from 'zod'

/** Node's timers hold a signed 32-bit number of milliseconds; a longer one fires at once. */
const maxTimerMs = 2_147_483_647

const durationMs = z.number().positive().max(maxTimerMs)
const byteCount = z.number().int().positive()

/** The fields that every executor has. Each default is part of the contract and pinned by a test. */
export const executorConfigShape = {
  /** Default directory of a command; absent, the process's own. */
  cwd: z.string().optional(),
  /** Default timeout of a foreground command, in milliseconds. */
  timeoutMs: durationMs.default(120_000),
  /** Cap on a request's timeout, in milliseconds. */
  maxTimeoutMs: durationMs.default(600_000),
  /** Bytes kept in memory per stream: the tail. */
  maxOutputBytes: byteCount.default(64_000),
  /** Bytes a spill file may hold; a longer stream has none. */
  maxSpillBytes: byteCount.default(1_073_741_824),
  /** Milliseconds from TERM to KILL, and how long a survivor may hold the output of a finished command. */
  graceMs: durationMs.default(3_000),
}

const executorConfigSchema = z.object(executorConfigShape)

/** Resolved configuration that every executor has. */
export type ExecutorConfig = z.output<typeof executorConfigSchema>

/**
 * Reads a configuration, all defaults filled in.
 *
 * @throws `CONFIG_INVALID`, which names each wrong or unknown field by its path
 */
export function parseConfig<Schema extends z.ZodType>(name: string, schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${fieldOf(issue)}: ${issue.message}`)
  throw new SandboxError('CONFIG_INVALID', `${name}: ${problems.join('; ')}`, {
    context: { fields: parsed.error.issues.map(fieldOf) },
    cause: parsed.error,
  })
}

function fieldOf(issue: z.core.$ZodIssue): string {
  const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys : []
  return [...issue.path.map(String), ...unknownKeys].join('.') || 'config'
}

/**
 * A schema for a plugin's `static Config` that fails with our own error, code and hint, where the
 * harness validates a configuration through the Standard Schema interface.
 */
export function pluginConfig<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return Object.create(schema, {
    '~standard': {
      value: {
        ...schema['~standard'],
        validate: (input: unknown) => ({ value: parseConfig(name, schema, input) }),
      },
    },
  }) as Schema
}
