// Many clients of the official SDK in one process: each runs a command in the container of its own. Says `ready`
// on standard output when all have; then, for every line on standard input, so many of them take their leave.
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

const [url = '', token = '', count = ''] = process.argv.slice(2)
const atOnce = 8

interface Member {
  client: Client
  transport: StreamableHTTPClientTransport
}

async function join(index: number): Promise<Member> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit })
  const client = new Client({ name: `test-${index}`, version: '1.0.0' })
  // The SDK declares the session's id otherwise than its own interface does.
  await client.connect(transport as Transport)
  const command = `echo ${index} >> /tmp/who; cat /tmp/who`
  const call = { name: 'bash', arguments: { command, description: 'Say who it is' } }
  const { structuredContent } = await client.callTool(call, undefined, { timeout: 180_000 })
  const { stdout } = structuredContent as { stdout: { text: string } }
  if (stdout.text !== `${index}\n`) throw new Error(`client ${index} got ${JSON.stringify(stdout.text)}`)
  return { client, transport }
}

const members: Member[] = []
let joined = 0
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    while (joined < Number(count)) {
      joined += 1
      members.push(await join(joined))
    }
  }),
)
console.log('ready')

for await (const line of createInterface({ input: process.stdin })) {
  const leaving = members.splice(0, Number(line))
  await Promise.all(leaving.map(({ transport }) => transport.terminateSession()))
  await Promise.all(leaving.map(({ client }) => client.close()))
  console.log('left')
}
