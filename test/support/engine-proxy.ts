import { createServer, connect, type Server, type Socket } from 'node:net'

/** A unix socket in front of the engine's, so that the engine can go away for one executor alone. */
export class EngineProxy {
  readonly socketPath: string
  private readonly enginePath: string
  private readonly sockets = new Set<Socket>()
  private server: Server | undefined

  constructor(socketPath: string, enginePath: string) {
    this.socketPath = socketPath
    this.enginePath = enginePath
  }

  async open(): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (client) => this.relay(client))
    this.server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.socketPath, resolve)
    })
  }

  /** Nobody listens any more, and every connection is cut. */
  async cut(): Promise<void> {
    const server = this.server
    this.server = undefined
    const closed = server === undefined ? Promise.resolve() : new Promise((resolve) => server.close(resolve))
    for (const socket of this.sockets) socket.destroy()
    await closed
  }

  private relay(client: Socket): void {
    const engine = connect({ path: this.enginePath, allowHalfOpen: true })
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const) {
      this.sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.once('close', () => {
        this.sockets.delete(from)
        to.destroy()
      })
    }
  }
}
