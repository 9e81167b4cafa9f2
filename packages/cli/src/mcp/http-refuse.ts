import type { ServerResponse } from 'node:http'
import type { Refusal } from './http-guard.ts'

/** Answers with an error of JSON-RPC, which belongs to no request. */
export function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
  // What the request goes on with is not read, so the connection cannot be used again.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
  response.end(JSON.stringify(body))
}
