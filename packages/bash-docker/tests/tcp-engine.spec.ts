import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { connectEngine } from 'dsh-container'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDockerBash } from '../src/index.ts'

let server: Server
let host: string
const sockets = new Set<Socket>()

/** The engine by TCP: bytes are handed on in both directions, half-closes too. */
beforeAll(async () => {
  const { endpoint } = await connectEngine()
  const path = endpoint.socketPath ?? expect.unreachable('the tests want an engine on a unix socket')
  server = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ path, allowHalfOpen: true })
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.once('close', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  server.close()
  await once(server, 'close')
})

describe('an engine that is reached by TCP', () => {
  it('gets the supervisor, runs commands, and gives spilled output back', async () => {
    await using bash = await createDockerBash({ engine: { host }, workspace: { mode: 'none' } })
    const { exitCode, stdout } = await bash.run(bash.resolve({ command: 'seq 1000000; exit 5' }))
    expect(exitCode).toBe(5)
    expect(stdout.text.endsWith('999999\n1000000\n')).toBe(true)
    const chunks: Uint8Array[] = []
    for await (const chunk of bash.readSpill(stdout.spillPath ?? '')) chunks.push(chunk)
    expect(Buffer.concat(chunks).length).toBe(stdout.totalBytes)
  })

  it('has no place for spill files over exec: the path is withheld, and the result does not suffer', async () => {
    await using bash = await createDockerBash({ engine: { host }, workspace: { mode: 'none' }, transport: 'exec' })
    const { exitCode, stdout } = await bash.run(bash.resolve({ command: 'seq 100000; exit 5' }))
    expect({ exitCode, truncated: stdout.truncated, spillPath: stdout.spillPath }).toEqual({
      exitCode: 5,
      truncated: true,
      spillPath: undefined,
    })
  })
})
