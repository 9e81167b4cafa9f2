import { bashTools } from 'dsh-tool-bash'
import { describe, expect, it } from 'vitest'
import { describeTool } from '../../src/mcp/served-tool.ts'
import { clientOf } from './support/in-process.ts'
import { RecordingBash } from './support/recording-bash.ts'

/** What a client can rely on: only what is looked at here may change without notice. */
const nullable = (type: string) => ({ oneOf: [{ type }, { type: 'null' }] })
const exit = { exitCode: nullable('number'), signal: nullable('string') }
const stream = strict({ text: 'string', truncated: 'boolean', spillPath: 'string' }, ['text', 'truncated'])
const task = object({
  id: { type: 'string' },
  status: { type: 'string', enum: ['running', 'completed', 'killed'] },
  ...exit,
})

function object(properties: Record<string, object>, required = Object.keys(properties)) {
  return { type: 'object', properties, required, additionalProperties: false }
}

function strict(types: Record<string, string>, required = Object.keys(types)) {
  return object(Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])), required)
}

const expected = {
  bash: {
    inputSchema: strict(
      {
        command: 'string',
        description: 'string',
        timeoutMs: 'number',
        workdir: 'string',
        run_in_background: 'boolean',
      },
      ['command', 'description'],
    ),
    outputSchema: {
      type: 'object',
      oneOf: [
        object({
          kind: { type: 'string', const: 'foreground' },
          ...exit,
          timedOut: { type: 'boolean' },
          timeoutMs: { type: 'number' },
          stdout: stream,
          stderr: stream,
        }),
        object({ kind: { type: 'string', const: 'background' }, taskId: { type: 'string' } }),
      ],
    },
  },
  bash_output: {
    inputSchema: strict({ task_id: 'string' }),
    outputSchema: object({
      delta: { type: 'string' },
      lossy: { type: 'boolean' },
      spillPaths: { type: 'array', items: { type: 'string' } },
      task,
    }),
  },
  bash_kill: {
    inputSchema: strict({ task_id: 'string' }),
    outputSchema: object({ wasRunning: { type: 'boolean' }, task }),
  },
}

/** Without the words for the model. */
function withoutDescriptions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutDescriptions)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name, value]) => name !== 'description' || typeof value !== 'string')
      .map(([name, value]) => [name, withoutDescriptions(value)]),
  )
}

describe('the tools as a client is told of them', () => {
  it('take these arguments and no others, and give these results', async () => {
    const bash = await RecordingBash.open()
    const { tools } = await (await clientOf(bash, bashTools(bash))).listTools()
    const schemas = tools.map(({ name, inputSchema, outputSchema }) => [name, { inputSchema, outputSchema }])
    expect(withoutDescriptions(Object.fromEntries(schemas))).toEqual(expected)
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(expected))
    for (const { description, inputSchema } of tools) {
      expect(description).toBeTruthy()
      for (const property of Object.values(inputSchema.properties ?? {})) expect(property).toHaveProperty('description')
    }
  })

  it.each([
    [
      { canChangeWorkspace: false, hasNetwork: false },
      { destructiveHint: false, openWorldHint: false },
    ],
    [
      { canChangeWorkspace: true, hasNetwork: false },
      { destructiveHint: true, openWorldHint: false },
    ],
    [
      { canChangeWorkspace: false, hasNetwork: true },
      { destructiveHint: true, openWorldHint: true },
    ],
  ])('say what they can do where %o', async (reach, hints) => {
    const [bash, output, kill] = bashTools(await RecordingBash.open()).map((tool) => describeTool(tool, reach))
    expect(bash!.annotations).toMatchObject({ readOnlyHint: false, idempotentHint: false, ...hints })
    expect(output!.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false })
    expect(kill!.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: false })
  })
})
