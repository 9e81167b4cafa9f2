import { commonOptions, type OptionTable, type OptionValues } from '../arguments/option-table.ts'
import { engineOptions } from '../engine/engine-options.ts'
import { sandboxOptions } from '../run/run-options.ts'

/** How the server is reached. */
const serverOptions = {
  http: { type: 'boolean', help: 'streamable HTTP on a loopback address instead of stdin and stdout' },
  host: { type: 'string', value: '127.0.0.1|::1', help: 'with --http: the loopback address (default 127.0.0.1)' },
  port: { type: 'string', value: 'N', help: 'with --http: the port, 0 for any free one (default 8765)' },
  'token-file': {
    type: 'string',
    value: 'FILE',
    help: 'with --http: holds the token; else BASH_DOCKER_MCP_TOKEN does, else a new one is shown',
  },
  'max-clients': { type: 'string', value: 'N', help: 'with --http: clients at once (default 256)' },
  reconnect: {
    type: 'string',
    value: 'TIME',
    help: 'with --http: until a client whose stream broke is gone (default 30s)',
  },
  idle: {
    type: 'string',
    value: 'TIME',
    help: 'until an idle container ends; with --http, also a silent client (default 15m)',
  },
} as const satisfies OptionTable

/** What commands are given. */
const commandOptions = {
  workdir: { type: 'string', value: 'DIR', help: 'absolute directory to run in (default: the workspace)' },
  env: {
    type: 'string',
    multiple: true,
    value: 'NAME[=VALUE]',
    help: 'a variable for every command; without a value, our own, if there is one; repeatable',
  },
  timeout: { type: 'string', value: 'TIME', help: 'of a command for which the model gives none (default 2m)' },
  'max-timeout': { type: 'string', value: 'TIME', help: 'the longest that the model may give (default 10m)' },
  grace: { type: 'string', value: 'TIME', help: 'from TERM to KILL (default 3s)' },
  'max-output': { type: 'string', value: 'SIZE', help: 'how much of a stream a result holds (default 64000)' },
  'max-spill': { type: 'string', value: 'SIZE', help: 'longest stream that is spilled (default 1g)' },
  'spill-quota': { type: 'string', value: 'SIZE', help: 'spilled streams of a client together (default 4g)' },
} as const satisfies OptionTable

const { help, version } = commonOptions
const otherOptions = { help, version } as const satisfies OptionTable

/** The options of `mcp`, as its help groups them. */
export const mcpOptionGroups = {
  'The server': serverOptions,
  'The commands': commandOptions,
  'The sandbox': sandboxOptions,
  'The engine': engineOptions,
  Other: otherOptions,
} as const

export const mcpOptions = {
  ...serverOptions,
  ...commandOptions,
  ...sandboxOptions,
  ...engineOptions,
  ...otherOptions,
} as const satisfies OptionTable

export type McpValues = OptionValues<typeof mcpOptions>

/** Options that mean nothing without `--http`. */
export const httpOptionNames = ['host', 'port', 'token-file', 'max-clients', 'reconnect'] as const
