import type { Subcommand } from '../arguments/subcommand.ts'
import { currentDirectory } from '../run/current-directory.ts'
import { mcpOptionGroups, mcpOptions } from './mcp-options.ts'
import { httpSettings, servedSandbox } from './mcp-settings.ts'
import { serveHttp } from './serve-http.ts'
import { serveStdio } from './serve-stdio.ts'
import { readToken } from './token.ts'

export const subcommand: Subcommand<typeof mcpOptions> = {
  options: mcpOptions,
  groups: mcpOptionGroups,
  notes: [
    'Tools: bash, bash_output, bash_kill. Each client has a container of its own, which ends with it.',
    'A client over HTTP shows the token: "Authorization: Bearer TOKEN".',
    'Exit status: 0 when the client at standard input has gone; 128 + n when signal n ended us; 125 on wrong options.',
    'Sizes: 64000, 512m, 2g (powers of 1024). Times: 1500 (ms), 30s, 5m, 1h, 24d.',
  ],
  takesWords: false,
  execute: async (values) => {
    const sandbox = servedSandbox(values, currentDirectory(), process.env)
    const http = httpSettings(values, sandbox.config.idleMs)
    if (http === undefined) return await serveStdio(sandbox)
    return await serveHttp(sandbox, http, readToken(values['token-file'], process.env))
  },
}
