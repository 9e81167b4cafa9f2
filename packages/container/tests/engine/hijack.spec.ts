import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDockerodePort } from '../../src/engine/dockerode-port.ts'
import { parseEngineHost } from '../../src/engine/endpoint.ts'
import type { EnginePort } from '../../src/engine/port.ts'
import { FakeEngine, refuse, silence } from '../support/fake-engine.ts'

let stack: AsyncDisposableStack

beforeEach(() => {
  stack = new AsyncDisposableStack()
})
afterEach(() => stack.disposeAsync())

async function portTo(options: Parameters<typeof FakeEngine.start>[1], deadlineMs = 10_000): Promise<EnginePort> {
  // On TCP: a unix socket knows no reset.
  const fake = stack.use(await FakeEngine.start('27.0', options))
  const deadlines = { askMs: deadlineMs, changeMs: deadlineMs, startMs: deadlineMs, transferMs: deadlineMs }
  return openDockerodePort(parseEngineHost(fake.host), '1.45', deadlines)
}

/** Our end and the engine's of one upgraded connection. */
async function upgraded(): Promise<{ ours: Socket; theirs: Socket }> {
  const taken = Promise.withResolvers<Socket>()
  const port = await portTo({
    onUpgrade: (socket) => {
      socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
      taken.resolve(socket)
    },
  })
  const [ours, theirs] = await Promise.all([port.startExec('e'), taken.promise])
  return { ours, theirs }
}

describe('a connection that is taken over', () => {
  it('can be ended on one side alone', async () => {
    const { ours, theirs } = await upgraded()
    ours.end('input')
    expect(await text(theirs)).toBe('input')
    theirs.end('output')
    expect(await text(ours)).toBe('output')
  })

  it('ends no process when it is reset while nobody listens', async () => {
    const { ours, theirs } = await upgraded()
    // Not by `once`, which would listen for the error as well.
    const closed = new Promise((resolve) => ours.on('close', resolve))
    ours.resume()
    theirs.resetAndDestroy()
    await closed
    expect(ours.errored).toMatchObject({ code: 'ECONNRESET' })
  })

  it.each(['startExec', 'attachContainer'] as const)(
    'must be upgraded: %s through a proxy that answers 200 is refused, and the connection closed',
    async (call) => {
      const connection = Promise.withResolvers<Socket>()
      const plain: RequestListener = (request, response) => {
        connection.resolve(request.socket)
        response.writeHead(200, { 'content-type': 'application/vnd.docker.raw-stream' })
        response.write('output without an end')
      }
      const port = await portTo({ answers: { 'POST /exec/e/start': plain, 'POST /containers/e/attach': plain } })
      await expect(port[call]('e')).rejects.toMatchObject({ code: 'ENGINE_PROTOCOL' })
      const socket = await connection.promise
      if (!socket.destroyed) await once(socket, 'close')
    },
  )

  it('is refused where the engine refuses', async () => {
    const port = await portTo({ answers: { 'POST /exec/e/start': refuse(409, 'container is paused') } })
    await expect(port.startExec('e')).rejects.toMatchObject({
      code: 'ENGINE_REFUSED',
      context: { status: 409, engineMessage: 'container is paused' },
    })
  })

  it('is given up at its deadline by an engine that does not answer', async () => {
    const port = await portTo({ answers: { 'POST /exec/e/start': silence } }, 50)
    await expect(port.startExec('e')).rejects.toMatchObject({ code: 'ENGINE_UNREACHABLE', context: { deadlineMs: 50 } })
  })

  it('is given up when its caller aborts', async () => {
    const port = await portTo({ answers: { 'POST /containers/c/attach': silence } })
    const reason = new Error('changed my mind')
    const controller = new AbortController()
    const attached = port.attachContainer('c', { signal: controller.signal })
    controller.abort(reason)
    await expect(attached).rejects.toBe(reason)
  })
})
