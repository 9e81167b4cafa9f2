import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Stands between us and a real engine, and can be cut: for us the engine is gone then. */
export class EngineProxy implements Disposable {
  readonly host: string
  private readonly server: Server
  private readonly directory: string
  private readonly sockets = new Set<Socket>()

  private constructor(server: Server, directory: string) {
    this.server = server
    this.directory = directory
    this.host = `unix://${join(directory, 'docker.sock')}`
  }

  static async start(enginePath: string): Promise<EngineProxy> {
    const server = createServer({ allowHalfOpen: true })
    const proxy = new EngineProxy(server, mkdtempSync(join(tmpdir(), 'engine-proxy-')))
    server.on('connection', (ours) => {
      const theirs = connect({ path: enginePath, allowHalfOpen: true })
      for (const socket of [ours, theirs]) {
        proxy.sockets.add(socket)
        socket.on('error', () => undefined) // the other side is told by its end
        socket.on('close', () => proxy.sockets.delete(socket))
      }
      ours.pipe(theirs).pipe(ours)
    })
    server.listen(proxy.host.slice('unix://'.length))
    await once(server, 'listening')
    return proxy
  }

  /** Ends every connection, and takes no new one. */
  cut(): void {
    this.server.close()
    for (const socket of this.sockets) socket.destroy()
  }

  [Symbol.dispose](): void {
    this.cut()
    rmSync(this.directory, { recursive: true, force: true })
  }
}
