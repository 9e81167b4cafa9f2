import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { Attendance, type AttendanceTerms } from './attendance.ts'
import { Connection } from './connection.ts'
import type { ServedSandbox } from './mcp-settings.ts'

/** Told of a client's session. */
export interface ClientObserver {
  /** It has been initialised, and will be asked for by this id. */
  begun(id: string, client: HttpClient): void
  /** It is over: by the client's word, or because the client has gone. */
  ended(id: string): void
}

/** One client over HTTP. */
export class HttpClient {
  private readonly transport: StreamableHTTPServerTransport
  private readonly connection: Connection
  private readonly attendance: Attendance

  private constructor(transport: StreamableHTTPServerTransport, connection: Connection, attendance: Attendance) {
    this.transport = transport
    this.connection = connection
    this.attendance = attendance
  }

  static async open(sandbox: ServedSandbox, terms: AttendanceTerms, observer: ClientObserver): Promise<HttpClient> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => observer.begun(id, client),
      // Before the client's DELETE is answered: then nothing is left.
      onsessionclosed: () => client.end(),
    })
    // A request that was given up gets no response, so nothing else would end its stream.
    const connection = await Connection.open(sandbox, (id) => transport.closeSSEStream(id))
    const attendance = new Attendance(terms, () => void client.end())
    const client = new HttpClient(transport, connection, attendance)
    void connection.closed.then(() => {
      attendance.end()
      if (transport.sessionId !== undefined) observer.ended(transport.sessionId)
    })
    // The SDK declares the handlers of this class otherwise than its own interface does.
    await connection.server.connect(transport as Transport)
    return client
  }

  /** Whether it has a session, rather than having said something else than the protocol's first word. */
  get isInitialized(): boolean {
    return this.transport.sessionId !== undefined
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.once('close', this.attendance.enter(request.method === 'GET'))
    await this.transport.handleRequest(request, response)
  }

  /** Ends everything that it started, and its container. Never rejects. */
  end(): Promise<void> {
    return this.connection.end()
  }
}
