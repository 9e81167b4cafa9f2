import { httpServer, stdioClient } from './mcp-server.ts'
import type { McpClient } from './mcp-client.ts'
import type { ServerFacts } from './client-protocol.ts'

/** How a client reaches a server. */
export const ways = ['stdio', 'http'] as const

/** A client, and the process that owns its containers. */
export interface Reached {
  client: McpClient & { facts: ServerFacts }
  serverPid: number
}

/** A client of a new server, which serves one folder. */
export async function reach(way: (typeof ways)[number], cwd: string, ...options: string[]): Promise<Reached> {
  if (way === 'stdio') {
    const client = await stdioClient(cwd, ...options)
    return { client, serverPid: client.facts.serverPid! }
  }
  const server = await httpServer(cwd, options)
  return { client: await server.connect(), serverPid: server.child.pid! }
}
