import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** What the model says next: calls of tools, or text that ends the turn. */
export type Step = { readonly calls: readonly ToolCall[] } | { readonly text: string }

interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** The results of the tools so far, in the order of the calls. */
export type Script = readonly ((results: readonly string[]) => Step)[]

const requestSchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
})

type ModelRequest = z.output<typeof requestSchema>

/**
 * A model on loopback that speaks the OpenAI streaming format and says what a test wrote down. How far
 * a conversation is, it tells by the assistant's messages in the request.
 */
export class ScriptedModel implements AsyncDisposable {
  readonly baseUrl: string
  /** The results of tools in the last request. */
  results: readonly string[] = []
  /** The system prompt and whatever else was told to the model before the task. */
  context = ''
  toolNames: readonly string[] = []
  private readonly script: Script
  private readonly server: Server

  private constructor(script: Script, server: Server) {
    this.script = script
    this.server = server
    server.on('request', (request, response) => void this.answer(request, response))
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(script: Script): Promise<ScriptedModel> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new ScriptedModel(script, server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = requestSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    // A request without tools is one of the harness's own, such as for a title.
    const step = body.tools === undefined ? { text: 'A title' } : this.next(body)
    for (const event of eventsOf(step)) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end('data: [DONE]\n\n')
  }

  private next({ messages, tools = [] }: ModelRequest): Step {
    const said = messages.filter(({ role }) => role === 'assistant').length
    this.results = messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content))
    this.toolNames = tools.map((tool) => tool.function.name)
    if (said === 0) this.context = messages.map(({ content }) => textOf(content)).join('\n')
    return this.script[said]?.(this.results) ?? { text: 'the script is over' }
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = z.array(z.object({ text: z.string().optional() })).safeParse(content)
  return parts.success ? parts.data.map(({ text }) => text ?? '').join('') : JSON.stringify(content)
}

function eventsOf(step: Step): unknown[] {
  const delta =
    'text' in step
      ? { role: 'assistant', content: step.text }
      : {
          role: 'assistant',
          tool_calls: step.calls.map((call, index) => ({
            index,
            id: `call_${Math.random().toString(36).slice(2)}`,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          })),
        }
  const head = { id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted' }
  return [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'text' in step ? 'stop' : 'tool_calls' }] },
    { ...head, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
  ]
}
