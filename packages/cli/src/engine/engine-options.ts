import type { OptionTable, OptionValues } from '../arguments/option-table.ts'
import { usageError } from '../arguments/usage-error.ts'
import { durationMs } from '../arguments/values.ts'

/** Which engine: for every subcommand that talks to one. */
export const engineOptions = {
  engine: {
    type: 'string',
    value: 'HOST',
    help: 'unix:///… or tcp://…; default: as the docker client, then known sockets',
  },
  context: { type: 'string', value: 'NAME', help: 'a Docker context' },
  'connect-timeout': { type: 'string', value: 'TIME', help: 'until an engine counts as not there (default 5s)' },
} as const satisfies OptionTable

export interface EngineChoice {
  host?: string
  context?: string
  connectTimeoutMs?: number
}

/** @throws `USAGE` */
export function readEngineChoice(values: OptionValues<typeof engineOptions>): EngineChoice {
  const { engine: host, context } = values
  if (host !== undefined && context !== undefined) throw usageError('give --engine or --context, not both')
  const connectTimeoutMs = durationMs('connect-timeout', values['connect-timeout'])
  return {
    ...(host === undefined ? {} : { host }),
    ...(context === undefined ? {} : { context }),
    ...(connectTimeoutMs === undefined ? {} : { connectTimeoutMs }),
  }
}
