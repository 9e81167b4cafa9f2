import { SandboxError } from 'dsh-bash-error'
import { z } from 'zod'

// Rules that are not types are refinements: JSON schema keywords such as `minLength` are outside
// the subset that the harness turns into types for its code mode.
const notBlank = (text: string): boolean => text.trim() !== ''
const nonEmptyString = z.string('expected a non-empty string').refine(notBlank, 'expected a non-empty string')

const positiveNumber = (issue: { readonly input?: unknown }): string =>
  `expected a positive number, got ${String(issue.input)}`

export const bashArguments = z.object(
  {
    command: nonEmptyString.describe('The bash code to run.'),
    description: nonEmptyString.describe(
      'What the command does, in 5 to 10 words and in active voice, for the user who watches. ' +
        'Examples: "List files in current directory", "Run the unit tests".',
    ),
    timeoutMs: z
      .number({ error: positiveNumber })
      .refine((timeoutMs) => timeoutMs > 0, { error: positiveNumber })
      .describe('Milliseconds until the command is ended. A default and a cap apply; a background task has no timeout.')
      .exactOptional(),
    workdir: z
      .string('expected a string')
      .describe(
        'Directory to run the command in. Defaults to the directory of the session; a relative path starts there.',
      )
      .exactOptional(),
    run_in_background: z
      .boolean('expected true or false')
      .describe('Start the command as a background task and return its id at once.')
      .exactOptional(),
  },
  'expected an object',
)

export const taskArguments = z.object(
  { task_id: nonEmptyString.describe('The id that starting the background task returned, such as bash-1.') },
  'expected an object',
)

export type BashArguments = z.output<typeof bashArguments>
export type TaskArguments = z.output<typeof taskArguments>

/**
 * What the model said, checked, and nothing that the schema does not name.
 *
 * @throws `ARGUMENTS_INVALID` that names every violation
 */
export function parseArguments<Arguments>(schema: z.ZodType<Arguments>, args: unknown): Arguments {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data
  const violations = parsed.error.issues.map(
    ({ path, message }) => `invalid ${path.join('.') || 'arguments'}: ${message}`,
  )
  throw new SandboxError('ARGUMENTS_INVALID', violations.join('; '), { context: { violations } })
}
