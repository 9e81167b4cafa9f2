import type { Tool } from '@modelcontextprotocol/sdk/types.js'

/** Which server a client of a test talks to. */
export type ClientTarget =
  { url: string; token: string } | { command: string; args: string[]; cwd: string; env: Record<string, string> }

/** What a test tells its client to do. */
export type ClientOrder = { id: number } & (
  | { do: 'call'; name: string; args: Record<string, unknown>; wantsProgress: boolean }
  | { do: 'cancel'; call: number }
  | { do: 'request'; method: string; params: Record<string, unknown> }
  | { do: 'leave' }
)

/** What a client knows once it is connected. */
export interface ServerFacts {
  tools: Tool[]
  instructions: string
  capabilities: object
  /** Of a server that the client started. */
  serverPid: number | undefined
}

export interface ClientError {
  message: string
  code: number | undefined
  data: unknown
}

/** What a client reports. */
export type ClientEvent =
  | { ready: ServerFacts }
  | { notified: string }
  | { progress: object; of: number }
  | { result: unknown; of: number }
  | { error: ClientError; of: number }
