// What each program documents of its configuration of MCP servers, as of autumn 2026: only the fields that the
// documents name, so that a snippet with a field of another program fails.
import { z } from 'zod'

const strings = z.record(z.string(), z.string())

/** What all of them have of a server that they start. */
const program = { command: z.string(), args: z.array(z.string()).optional(), env: strings.optional() }

/** `.mcp.json` of Claude Code: code.claude.com/docs/en/mcp. */
export const claudeCode = z.strictObject({
  mcpServers: z.record(
    z.string(),
    z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('stdio'),
        ...program,
        timeout: z.number().optional(),
      }),
      z.strictObject({
        type: z.literal('http'),
        url: z.url(),
        headers: strings.optional(),
        timeout: z.number().optional(),
      }),
    ]),
  ),
})

const codexShared = {
  enabled: z.boolean().optional(),
  required: z.boolean().optional(),
  startup_timeout_sec: z.number().optional(),
  tool_timeout_sec: z.number().optional(),
  enabled_tools: z.array(z.string()).optional(),
  disabled_tools: z.array(z.string()).optional(),
}

/** `config.toml` of Codex: developers.openai.com/codex/mcp; each transport refuses the fields of the other. */
export const codex = z.strictObject({
  mcp_servers: z.record(
    z.string().regex(/^[\w-]+$/),
    z.union([
      z.strictObject({
        ...program,
        env_vars: z.array(z.string()).optional(),
        cwd: z.string().optional(),
        ...codexShared,
      }),
      z.strictObject({
        url: z.url(),
        bearer_token_env_var: z.string().optional(),
        http_headers: strings.optional(),
        env_http_headers: strings.optional(),
        ...codexShared,
      }),
    ]),
  ),
})

/** `mcp.json` of Cursor: cursor.com/docs/mcp. A server at a URL has no type. */
export const cursor = z.strictObject({
  mcpServers: z.record(
    z.string(),
    z.union([
      z.strictObject({
        type: z.literal('stdio'),
        ...program,
        envFile: z.string().optional(),
      }),
      z.strictObject({ url: z.url(), headers: strings.optional() }),
    ]),
  ),
})

/** `mcp.json` of VS Code: code.visualstudio.com/docs/copilot/reference/mcp-configuration. */
export const vsCode = z.strictObject({
  inputs: z
    .array(
      z.strictObject({
        type: z.literal('promptString'),
        id: z.string(),
        description: z.string(),
        password: z.boolean().optional(),
      }),
    )
    .optional(),
  servers: z.record(
    // Camel case, as its naming conventions say.
    z.string().regex(/^[a-z][A-Za-z0-9]*$/),
    z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('stdio'),
        ...program,
        envFile: z.string().optional(),
      }),
      z.strictObject({ type: z.literal('http'), url: z.url(), headers: strings.optional() }),
    ]),
  ),
})

const geminiShared = {
  timeout: z.number().optional(),
  trust: z.boolean().optional(),
  includeTools: z.array(z.string()).optional(),
  excludeTools: z.array(z.string()).optional(),
}

/** `settings.json` of Gemini CLI: its docs/tools/mcp-server.md. `url` would be the older transport. */
export const geminiCli = z.strictObject({
  mcpServers: z.record(
    // The parser of its policies takes an underscore for the end of the name.
    z.string().regex(/^[^_]+$/),
    z.union([
      z.strictObject({
        ...program,
        cwd: z.string().optional(),
        ...geminiShared,
      }),
      z.strictObject({ httpUrl: z.url(), headers: strings.optional(), ...geminiShared }),
    ]),
  ),
})
