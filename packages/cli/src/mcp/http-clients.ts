import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpClient } from './http-client.ts'
import { refuse } from './http-refuse.ts'
import type { HttpSettings, ServedSandbox } from './mcp-settings.ts'

/** The clients of a server, each found by the id of its session. */
export class HttpClients {
  private readonly sandbox: ServedSandbox
  private readonly settings: HttpSettings
  private readonly clients = new Map<string, HttpClient>()
  private readonly ending = new Set<Promise<void>>()
  /** Those that have not said the protocol's first word yet, each by something of its own. */
  private readonly opening = new Set<symbol>()
  private isClosed = false

  constructor(sandbox: ServedSandbox, settings: HttpSettings) {
    this.sandbox = sandbox
    this.settings = settings
  }

  /** Hands a request that may come in to its client, which is a new one when it names no session. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers['mcp-session-id']
    if (id === undefined) return await this.welcome(request, response)
    const client = typeof id === 'string' ? this.clients.get(id) : undefined
    // As of the protocol: it begins anew then.
    if (client === undefined) return refuse(response, { status: 404, message: 'this session has ended' })
    await client.handle(request, response)
  }

  /** Ends every client. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([...[...this.clients.values()].map((client) => client.end()), ...this.ending])
  }

  private async welcome(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return refuse(response, { status: 400, message: 'a session is needed' })
    const { maxClients } = this.settings
    if (this.isClosed || this.clients.size + this.opening.size >= maxClients) {
      return refuse(response, { status: 503, message: `there are ${maxClients} clients already` })
    }
    const mark = Symbol('client')
    this.opening.add(mark)
    try {
      const client = await HttpClient.open(this.sandbox, this.settings, {
        begun: (id, begun) => {
          this.opening.delete(mark)
          this.clients.set(id, begun)
        },
        ended: (id) => this.forget(id),
      })
      await client.handle(request, response)
      if (!client.isInitialized) await client.end()
    } finally {
      this.opening.delete(mark)
    }
  }

  /** Its commands may take a while to end; whoever closes the server waits for them. */
  private forget(id: string): void {
    const ending = this.clients.get(id)?.end()
    this.clients.delete(id)
    if (ending === undefined) return
    this.ending.add(ending)
    void ending.then(() => this.ending.delete(ending))
  }
}
