import type { JsonSchemaNode, ToolDefinition, ToolResult, ToolRunContext } from '@deepseek-ai/dsh-tools'
import { z } from 'zod'
import type { ModelTool } from './model-tool.ts'
import type { ToolCall } from './tool-call.ts'
import type { ToolOutcome } from './views.ts'

/** A tool in the shape that the registry of the harness takes. */
export function harnessTool(tool: ModelTool): ToolDefinition {
  const facts = tool.facts?.bind(tool)
  return {
    name: tool.name,
    description: tool.description,
    parameters: jsonSchema(tool.parameters),
    output: {
      // The registry checks at load that it stays in the subset it enforces.
      schema: jsonSchema(tool.output) as JsonSchemaNode,
      render: (_args, value) => [{ type: 'text', text: tool.render(value) }],
      ...(facts === undefined ? {} : { presentationMeta: (_args: unknown, value: unknown) => facts(value) }),
    },
    execute: (args, exec) => tool.execute(args, toolCall(exec)),
    presentCall: (args) => tool.presentCall(args),
    presentResult: (args, result) => tool.presentResult(args, toolOutcome(result)),
  }
}

/** What the harness knows of a call: its agent's session is the owner of everything it starts. */
function toolCall({ signal, agent }: ToolRunContext): ToolCall {
  if (agent === undefined) return { signal }
  const { id, header } = agent.session
  return { signal, caller: { sessionId: id, ...(header.cwd === undefined ? {} : { cwd: header.cwd }) } }
}

function toolOutcome({ content, isError, meta }: ToolResult): ToolOutcome {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  return { text, isError, ...(meta === undefined ? {} : { facts: meta }) }
}

/** Draft 2020-12, of what goes in, without the dialect's name: the harness embeds it. */
function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...node } = z.toJSONSchema(schema, { io: 'input' })
  return node
}
