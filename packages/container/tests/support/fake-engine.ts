import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { dirname } from 'node:path'

/** An answer to one call; `version` and `info` have one without being asked for. */
export interface FakeAnswers {
  /** By method and path without the API's version, such as `GET /info`. */
  readonly [call: string]: RequestListener
}

interface FakeEngineOptions {
  /** A unix socket, whose directory is made; else it listens on a port of its own. */
  readonly socketPath?: string
  readonly answers?: FakeAnswers
  /** Takes a connection over that was upgraded (101). */
  readonly onUpgrade?: (socket: Socket) => void
}

/** An engine that does what a real one does on no demand. It says who it is by its version. */
export class FakeEngine {
  /** As a Docker host string. */
  readonly host: string
  /** Method and whole path of each request, in order. */
  readonly requests: string[] = []
  private readonly server: Server
  private readonly connections = new Set<Socket>()

  private constructor(server: Server, host: string) {
    this.server = server
    this.host = host
  }

  static async start(version: string, options: FakeEngineOptions = {}): Promise<FakeEngine> {
    const { socketPath, onUpgrade } = options
    const answers = { ...plainAnswers(version), ...options.answers }
    const server = createServer((request, response) => {
      const answer = answers[callOf(request)] ?? refuse(404, 'page not found')
      answer(request, response)
    })
    if (socketPath === undefined) server.listen(0, '127.0.0.1')
    else {
      await mkdir(dirname(socketPath), { recursive: true })
      server.listen(socketPath)
    }
    await once(server, 'listening')
    const host =
      socketPath === undefined ? `tcp://127.0.0.1:${(server.address() as AddressInfo).port}` : `unix://${socketPath}`
    const engine = new FakeEngine(server, host)
    server.on('connection', (socket) => engine.connections.add(socket))
    server.on('request', (request) => engine.requests.push(`${request.method} ${request.url}`))
    if (onUpgrade !== undefined) server.on('upgrade', (_request, socket: Socket) => onUpgrade(socket))
    return engine
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close')
    this.server.close()
    for (const connection of this.connections) connection.destroy()
    await closed
  }
}

/** Answers with JSON. */
export function json(value: unknown, status = 200): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
}

/** Refuses as an engine does. */
export function refuse(status: number, message: string): RequestListener {
  return json({ message }, status)
}

/** Takes the request and never answers. */
export const silence: RequestListener = () => undefined

/** Of `GET /version`. */
export function versionBody(version: string, api: { newest?: string; oldest?: string } = {}): object {
  return { Version: version, ApiVersion: api.newest ?? '1.45', MinAPIVersion: api.oldest ?? '1.24' }
}

function plainAnswers(version: string): FakeAnswers {
  const info = { NCPU: 2, MemTotal: 8e9, OSType: 'linux', Architecture: 'x86_64', OperatingSystem: 'Linux' }
  return { 'GET /version': json(versionBody(version)), 'GET /info': json(info) }
}

function callOf({ method, url = '' }: IncomingMessage): string {
  const path = url.replace(/\?.*$/, '').replace(/^\/v\d+\.\d+(?=\/)/, '')
  return `${method} ${path}`
}
