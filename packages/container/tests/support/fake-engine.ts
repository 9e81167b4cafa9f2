import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const versionAnswer = { Version: '20.10.24', ApiVersion: '1.41', MinAPIVersion: '1.12' }
export const infoAnswer = {
  NCPU: 2,
  MemTotal: 1024 ** 3,
  OSType: 'linux',
  Architecture: 'x86_64',
  OperatingSystem: 'Fake Linux',
}

/** What a test makes an engine answer: JSON by path, without the API version; 404 for every other path. */
export type FakeAnswers = Readonly<Record<string, unknown>>

/**
 * A scripted engine, for what a real one does on no demand. Listens on a unix socket of its own, or
 * on a port of this host.
 */
export class FakeEngine implements AsyncDisposable {
  /** As a Docker host string. */
  readonly host: string
  /** Paths that were asked for, in order, with the API version as the client wrote it. */
  readonly asked: string[]
  private readonly server: Server
  private readonly directory: string

  private constructor(server: Server, host: string, directory: string, asked: string[]) {
    this.server = server
    this.host = host
    this.directory = directory
    this.asked = asked
  }

  /** `onUpgrade` gets the connection of a request that wants one; without it, such a request is an ordinary one. */
  static async start(
    answers: FakeAnswers = { '/version': versionAnswer, '/info': infoAnswer },
    options: { onUpgrade?: (socket: Socket) => void; tls?: { key: string; cert: string; ca: string } } = {},
  ): Promise<FakeEngine> {
    const asked: string[] = []
    const listener: RequestListener = (request, response) => {
      const url = request.url ?? ''
      asked.push(url)
      const path = url.replace(/^\/v\d+\.\d+/, '').replace(/\?.*$/, '')
      const answer = answers[path]
      if (typeof answer === 'function') return void answer(request, response)
      response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(answer ?? { message: `page not found: ${path}` }))
    }
    const { tls, onUpgrade } = options
    const server = tls ? createTlsServer({ ...tls, requestCert: true }, listener) : createServer(listener)
    if (onUpgrade) server.on('upgrade', (_, socket: Socket) => onUpgrade(socket))
    const directory = mkdtempSync(join(tmpdir(), 'fake-engine-'))
    const socketPath = join(directory, 'docker.sock')
    if (tls) server.listen(0, '127.0.0.1')
    else server.listen(socketPath)
    await once(server, 'listening')
    const host = tls ? `tcp://127.0.0.1:${(server.address() as AddressInfo).port}` : `unix://${socketPath}`
    return new FakeEngine(server, host, directory, asked)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}
