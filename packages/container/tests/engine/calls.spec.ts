import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RequestListener } from 'node:http'
import { openDockerodePort } from '../../src/engine/dockerode-port.ts'
import { parseEngineHost } from '../../src/engine/endpoint.ts'
import type { EnginePort } from '../../src/engine/port.ts'
import { FakeEngine, type FakeAnswers, json, refuse, silence } from '../support/fake-engine.ts'

let stack: AsyncDisposableStack

beforeEach(() => {
  stack = new AsyncDisposableStack()
})
afterEach(() => stack.disposeAsync())

const deadlineMs = 50

async function portWith(answers: FakeAnswers): Promise<{ port: EnginePort; fake: FakeEngine }> {
  const fake = stack.use(await FakeEngine.start('27.0', { answers }))
  const deadlines = { askMs: deadlineMs, changeMs: deadlineMs, startMs: deadlineMs, transferMs: deadlineMs }
  return { fake, port: openDockerodePort(parseEngineHost(fake.host), '1.45', deadlines) }
}

describe('a call of the engine', () => {
  it("that is refused carries the engine's status and its own words", async () => {
    const { port } = await portWith({ 'POST /containers/c/start': refuse(500, 'no space left on device') })
    await expect(port.startContainer('c')).rejects.toMatchObject({
      code: 'ENGINE_REFUSED',
      message: 'cannot start the container: no space left on device',
      context: { status: 500, engineMessage: 'no space left on device' },
    })
  })

  it('that a proxy refuses without JSON carries what it said', async () => {
    const page: RequestListener = (_request, response) => response.writeHead(502).end('Bad Gateway')
    const { port } = await portWith({ 'GET /info': page })
    await expect(port.info()).rejects.toMatchObject({ code: 'ENGINE_REFUSED', context: { status: 502 } })
  })

  it('that is never answered ends at its own deadline', async () => {
    const { port } = await portWith({ 'GET /info': silence, 'POST /containers/c/start': silence })
    const late = { code: 'ENGINE_UNREACHABLE', context: { deadlineMs } }
    await expect(port.info()).rejects.toMatchObject(late)
    await expect(port.startContainer('c')).rejects.toMatchObject(late)
  })

  it('that is aborted ends with the reason of that', async () => {
    const { port } = await portWith({ 'GET /info': silence })
    const reason = new Error('changed my mind')
    await expect(port.info({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const asked = port.info({ signal: controller.signal })
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
  })

  it('that is cut off is an engine that cannot be reached', async () => {
    const cut: RequestListener = (request) => request.socket.destroy()
    const { port } = await portWith({ 'GET /info': cut })
    await expect(port.info()).rejects.toMatchObject({
      code: 'ENGINE_UNREACHABLE',
      message: expect.stringContaining('socket hang up'),
    })
  })

  it('with an answer of another shape breaks the protocol', async () => {
    const { port } = await portWith({ 'GET /exec/e/json': json({ Running: 'no' }) })
    await expect(port.inspectExec('e')).rejects.toMatchObject({ code: 'ENGINE_PROTOCOL' })
  })

  it('about what is not there has no answer', async () => {
    const { port } = await portWith({})
    expect(await port.inspectExec('e')).toBeUndefined()
    expect(await port.inspectContainer('c')).toBeUndefined()
    expect(await port.inspectImage('i')).toBeUndefined()
  })

  it('to remove what is gone is done', async () => {
    const { port } = await portWith({})
    await Promise.all([port.removeContainer('c'), port.removeVolume('v'), port.removeNetwork('n')])
  })

  it('to remove a container that is being removed is done, and a volume in use is not', async () => {
    const busy = refuse(409, 'in progress')
    const { port } = await portWith({ 'DELETE /containers/c': busy, 'DELETE /volumes/v': busy })
    await port.removeContainer('c')
    await expect(port.removeVolume('v')).rejects.toMatchObject({ context: { status: 409 } })
  })

  it('to create a container writes nothing of it into the address', async () => {
    const { port, fake } = await portWith({ 'POST /containers/create': json({ Id: 'abc', Warnings: [] }, 201) })
    const body = { Image: 'x', Env: ['PLAIN=value'] } as unknown as Parameters<EnginePort['createContainer']>[1]
    expect(await port.createContainer('its-name', body)).toBe('abc')
    expect(fake.requests).toEqual(['POST /v1.45/containers/create?name=its-name'])
  })

  it('to list asks for every state and for the label alone', async () => {
    const { port, fake } = await portWith({ 'GET /containers/json': json([]) })
    expect(await port.listContainers('a=b')).toEqual([])
    const { pathname, searchParams } = new URL(fake.requests[0]?.slice('GET '.length) ?? '', 'http://engine')
    expect(pathname).toBe('/v1.45/containers/json')
    expect(searchParams.get('all')).toBe('true')
    expect(JSON.parse(searchParams.get('filters') ?? '')).toEqual({ label: ['a=b'] })
  })
})
