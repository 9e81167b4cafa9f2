// A client of the official SDK in a process of its own, steered by lines of JSON on standard input.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ResourceListChangedNotificationSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { ClientEvent, ClientOrder, ClientTarget } from './client-protocol.ts'
import { jsonLines } from './json-lines.ts'

const target = JSON.parse(process.argv[2] ?? '') as ClientTarget

function say(event: ClientEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

function connect(): StdioClientTransport | StreamableHTTPClientTransport {
  if ('url' in target) {
    const requestInit = { headers: { authorization: `Bearer ${target.token}` } }
    return new StreamableHTTPClientTransport(new URL(target.url), { requestInit })
  }
  const { command, args, cwd, env } = target
  return new StdioClientTransport({ command, args, cwd, env: { ...getDefaultEnvironment(), ...env } })
}

const client = new Client({ name: 'test', version: '1.0.0' })
client.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) => say({ notified: method }))
const transport = connect()
// The SDK declares the session's id otherwise than its own interface does.
await client.connect(transport as Transport)
const { tools } = await client.listTools() // also: results are held to their output schema from now on
say({
  ready: {
    tools,
    instructions: client.getInstructions() ?? '',
    capabilities: client.getServerCapabilities() ?? {},
    serverPid: transport instanceof StdioClientTransport ? (transport.pid ?? undefined) : undefined,
  },
})

const calls = new Map<number, AbortController>()

async function obey(order: ClientOrder): Promise<unknown> {
  const timeout = 120_000
  switch (order.do) {
    case 'call': {
      const abort = new AbortController()
      calls.set(order.id, abort)
      const onprogress = order.wantsProgress
        ? { onprogress: (progress: object) => say({ progress, of: order.id }) }
        : {}
      const { name, args } = order
      return await client.callTool({ name, arguments: args }, undefined, {
        signal: abort.signal,
        timeout,
        ...onprogress,
      })
    }
    case 'cancel':
      return calls.get(order.call)?.abort('the test wants it')
    case 'request':
      return await client.request({ method: order.method, params: order.params }, ResultSchema, { timeout })
    case 'leave':
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession()
      return await client.close()
  }
}

for await (const line of jsonLines(process.stdin)) {
  const order = line as ClientOrder
  void obey(order).then(
    (result) => say({ result: result ?? null, of: order.id }),
    (error: Error & { code?: number; data?: unknown }) =>
      say({ error: { message: error.message, code: error.code, data: error.data }, of: order.id }),
  )
}
process.exit(0)
