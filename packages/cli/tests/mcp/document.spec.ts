import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { httpSettings } from '../../src/mcp/mcp-settings.ts'
import { endpointPath } from '../../src/mcp/http-guard.ts'
import { mainPath } from '../support/cli.ts'
import { workspaceFolder } from '../support/folder.ts'
import { claudeCode, codex, cursor, geminiCli, vsCode } from './support/client-formats.ts'
import { McpClient } from './support/mcp-client.ts'
import { httpServer } from './support/mcp-server.ts'
import { textOf } from './support/results.ts'

const text = readFileSync(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8')
const token = 'a-token-of-the-operator'

interface Program {
  name: string
  format: z.ZodType
  parse: (snippet: string) => unknown
  /** How its documents say that values refer to what it knows; in what it does not say, nothing is replaced. */
  expand: (value: string, workspace: string) => string
}

const unchanged = (value: string): string => value
const variable = 'BASH_DOCKER_MCP_TOKEN'

const programs: Program[] = [
  {
    name: 'Claude Code',
    format: claudeCode,
    parse: JSON.parse,
    expand: (value) => value.replace(`\${${variable}}`, token),
  },
  { name: 'Codex', format: codex, parse: parseToml, expand: unchanged },
  {
    name: 'Cursor',
    format: cursor,
    parse: JSON.parse,
    expand: (value, workspace) => value.replace('${workspaceFolder}', workspace).replace(`\${env:${variable}}`, token),
  },
  {
    name: 'VS Code',
    format: vsCode,
    parse: JSON.parse,
    expand: (value, workspace) =>
      value.replace('${workspaceFolder}', workspace).replace('${input:bash-docker-token}', token),
  },
  {
    name: 'Gemini CLI',
    format: geminiCli,
    parse: JSON.parse,
    expand: (value) => value.replace(`$${variable}`, token),
  },
]

/** One server of a snippet, under the names of whichever program. */
interface Server {
  command?: string
  args?: string[]
  env?: Record<string, string>
  url?: string
  httpUrl?: string
  headers?: Record<string, string>
  bearer_token_env_var?: string
}

function snippetsOf({ name, parse }: Program): unknown[] {
  const section = text.split(`\n### ${name}\n`)[1]?.split(/\n##/)[0] ?? ''
  return [...section.matchAll(/```(?:json|toml)\n([\s\S]*?)```/g)].map(([, snippet = '']) => parse(snippet))
}

function serverOf(snippet: unknown): Server {
  const { mcpServers, mcp_servers, servers } = snippet as Record<string, Record<string, Server> | undefined>
  return Object.values(mcpServers ?? mcp_servers ?? servers ?? {})[0] as Server
}

/** A folder for the `PATH` in which `bash-docker` is this program. */
let binDir: string

beforeAll(async () => {
  binDir = await mkdtemp(join(tmpdir(), 'bash-docker-bin-'))
  const program = join(binDir, 'bash-docker')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' --conditions=bash-docker-source '${mainPath}' "$@"\n`)
  chmodSync(program, 0o755)
})

afterAll(() => rm(binDir, { recursive: true }))

describe.each(programs)('the snippets for $name', (program) => {
  const [stdio, http, ...more] = snippetsOf(program)
  const { format, expand } = program

  it('have the form that the program documents', () => {
    expect(more).toEqual([])
    expect(format.parse(stdio)).toEqual(stdio)
    expect(format.parse(http)).toEqual(http)
  })

  it('start a server that changes the folder which is open', async () => {
    const cwd = workspaceFolder()
    const { command = '', args = [], env = {} } = serverOf(stdio)
    const client = await McpClient.connect({
      command: expand(command, cwd),
      args: args.map((arg) => expand(arg, cwd)),
      cwd,
      env: { ...engineVariables(), PATH: `${binDir}:${process.env['PATH']}`, ...env },
    })
    expect(textOf(await client.bash('touch made && pwd'))).toBe(`${cwd}\n`)
    expect(existsSync(join(cwd, 'made'))).toBe(true)
  })

  it('reach a server over HTTP with its token', async () => {
    const { url, httpUrl, headers, bearer_token_env_var } = serverOf(http)
    const { host, port } = httpSettings({ http: true }, 1)!
    expect(url ?? httpUrl).toBe(`http://${host}:${port}${endpointPath}`)
    const authorization =
      bearer_token_env_var === variable ? `Bearer ${token}` : expand(headers?.['Authorization'] ?? '', '')
    expect(authorization).toBe(`Bearer ${token}`)
    const server = await httpServer(workspaceFolder(), [], { env: { [variable]: token }, token })
    const client = await McpClient.connect({ url: server.url, token: authorization.replace('Bearer ', '') })
    expect(client.facts.tools).toHaveLength(3)
  })
})

function engineVariables(): Record<string, string> {
  const host = process.env['DOCKER_HOST']
  return host === undefined ? {} : { DOCKER_HOST: host }
}
