import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type RequestId,
  type ServerNotification,
} from '@modelcontextprotocol/sdk/types.js'
import { SandboxError } from 'dsh-bash-error'
import type { ModelTool, ToolCaller } from 'dsh-tool-bash'
import { programVersion } from '../program-version.ts'
import { CommandWatch, watching } from './command-watch.ts'
import { errorResult } from './error-result.ts'
import { reportProgress } from './progress-reports.ts'
import { describeTool, type ToolReach, unknownArguments } from './served-tool.ts'
import { spillPathsOf } from './spill-paths.ts'
import { type SpillResources, spillResource } from './spill-resources.ts'

/** What a client's server is made of. */
export interface ServerParts {
  readonly tools: readonly ModelTool[]
  readonly reach: ToolReach
  readonly spills: SpillResources
  readonly caller: ToolCaller
  readonly instructions: string
  /** What the start of the client's container does at the moment. */
  readonly sessionStep: () => string
  /** Told of a request that its client gave up: nobody waits for its response any more. */
  readonly abandoned: (id: RequestId) => void
}

/** What surrounds one request, as far as it is used here. */
interface RequestContext {
  readonly signal: AbortSignal
  readonly requestId: RequestId
  readonly _meta?: { progressToken?: string | number | undefined } | undefined
  readonly sendNotification: (notification: ServerNotification) => Promise<void>
}

/** The protocol's side of one client: its tools and its resources. */
export function clientServer(parts: ServerParts): Server {
  const server = new Server(
    { name: 'bash-docker', version: programVersion() },
    { capabilities: { tools: {}, resources: { listChanged: true } }, instructions: parts.instructions },
  )
  const listed = parts.tools.map((tool) => describeTool(tool, parts.reach))
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, context) => {
    try {
      return await callTool(server, parts, params, context)
    } finally {
      if (context.signal.aborted) parts.abandoned(context.requestId)
    }
  })
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => parts.spills.list(params?.cursor))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: parts.spills.templates() }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => parts.spills.read(params.uri))
  return server
}

async function callTool(
  server: Server,
  { tools, spills, caller, sessionStep }: ServerParts,
  { name, arguments: args = {} }: CallToolRequest['params'],
  { signal, _meta, sendNotification }: RequestContext,
): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `unknown tool "${name}"`)
  const watch = new CommandWatch()
  const endReports = reportProgress(_meta?.progressToken, sendNotification, (elapsedMs) =>
    watch.describe(elapsedMs, sessionStep()),
  )
  try {
    refuseUnknown(tool, args)
    const value = await watching(watch, () => tool.execute(args, { signal, caller }))
    const spilled = spillPathsOf(value)
    if (spills.add(spilled)) await server.sendResourceListChanged().catch(() => undefined) // it has gone
    return {
      content: [
        { type: 'text', text: tool.render(value) },
        ...spilled.map((path) => ({ type: 'resource_link' as const, ...spillResource(path) })),
      ],
      structuredContent: value as Record<string, unknown>,
    }
  } catch (error) {
    return errorResult(error)
  } finally {
    endReports()
  }
}

/**
 * Whoever says `stdin` or `env` means something that no tool does, and is told so
 * (docs/decisions/0001-trusted-plugin-surface.md).
 */
function refuseUnknown(tool: ModelTool, args: Readonly<Record<string, unknown>>): void {
  const unknown = unknownArguments(tool, args)
  if (unknown.length === 0) return
  const violations = unknown.map((name) => `unknown argument ${JSON.stringify(name)}`)
  throw new SandboxError('ARGUMENTS_INVALID', violations.join('; '), { context: { violations } })
}
