import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { ModelTool } from 'dsh-tool-bash'
import { z } from 'zod'

/** What a call of a tool can do, for whoever decides whether it needs to be asked about. */
export interface ToolReach {
  /** Whether a command can change anything that outlives its container. */
  readonly canChangeWorkspace: boolean
  /** Whether a command reaches more than its container. */
  readonly hasNetwork: boolean
}

/** A tool of the model as the protocol lists it. */
export function describeTool(tool: ModelTool, reach: ToolReach): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: objectSchema(z.strictObject(tool.parameters.shape)),
    outputSchema: objectSchema(tool.output),
    annotations: annotations(tool.name, reach),
  }
}

/** The names that a model used and the tool does not know. */
export function unknownArguments(tool: ModelTool, args: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(args).filter((name) => !Object.hasOwn(tool.parameters.shape, name))
}

function annotations(name: string, { canChangeWorkspace, hasNetwork }: ToolReach): Tool['annotations'] {
  switch (name) {
    case 'bash_output':
      return { title: 'Read output of a background command', readOnlyHint: true, openWorldHint: false }
    case 'bash_kill':
      return {
        title: 'End a background command',
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      }
    default:
      return {
        title: 'Run a bash command in a container',
        readOnlyHint: false,
        destructiveHint: canChangeWorkspace || hasNetwork,
        idempotentHint: false,
        openWorldHint: hasNetwork,
      }
  }
}

/**
 * JSON Schema of draft 7, which every client reads, without the dialect's name. The protocol wants
 * `type: object` at the top, also of a union.
 */
function objectSchema(schema: z.ZodType): { type: 'object' } {
  const { $schema: _dialect, ...node } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' })
  return { ...node, type: 'object' }
}
