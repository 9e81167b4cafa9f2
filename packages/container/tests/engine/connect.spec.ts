import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectEngine, type Engine } from '../../src/index.ts'
import { FakeEngine, json, refuse, versionBody } from '../support/fake-engine.ts'
import { FakeHome } from '../support/fake-home.ts'

let home: FakeHome
let stack: AsyncDisposableStack

beforeEach(() => {
  stack = new AsyncDisposableStack()
  home = stack.use(new FakeHome())
})
afterEach(() => stack.disposeAsync())

async function connectTo(
  options: Parameters<typeof FakeEngine.start>[1],
): Promise<{ connecting: Promise<Engine>; fake: FakeEngine }> {
  const fake = stack.use(await FakeEngine.start('27.0', { socketPath: home.path('docker.sock'), ...options }))
  return { fake, connecting: connectEngine({ host: fake.host }, home.world()) }
}

describe('a connection to an engine', () => {
  it.each([
    ['1.41', '1.41'],
    ['1.45', '1.45'],
    ['1.52', '1.47'],
  ])('speaks API %s with as much of it as is known here, %s', async (newest, spoken) => {
    const { connecting, fake } = await connectTo({ answers: { 'GET /version': json(versionBody('x', { newest })) } })
    expect((await connecting).apiVersion).toBe(spoken)
    expect(fake.requests).toEqual(['GET /version', `GET /v${spoken}/info`])
  })

  it('is local on a unix socket', async () => {
    const { connecting } = await connectTo({})
    expect(await connecting).toMatchObject({ isLocal: true, endpoint: { socketPath: home.path('docker.sock') } })
  })

  it('is not on TCP, even of this machine: its folders may be those of a virtual machine', async () => {
    const fake = stack.use(await FakeEngine.start('27.0'))
    const engine = await connectEngine({ host: fake.host }, home.world())
    expect(engine).toMatchObject({ isLocal: false, endpoint: { socketPath: undefined, host: fake.host } })
  })

  it.each([
    ['too old', json(versionBody('19.03', { newest: '1.40' })), 'ENGINE_TOO_OLD'],
    ['too new', json(versionBody('99', { newest: '1.99', oldest: '1.90' })), 'ENGINE_REFUSED'],
    ['a proxy that forbids it', refuse(403, 'not for you'), 'ENGINE_REFUSED'],
    ['another service', json({ version: '1' }), 'ENGINE_PROTOCOL'],
    [
      'a web page',
      (_: unknown, response: { end: (text: string) => void }) => response.end('<html>'),
      'ENGINE_PROTOCOL',
    ],
  ])('is refused by what is %s', async (_, answer, code) => {
    const { connecting } = await connectTo({ answers: { 'GET /version': answer } })
    await expect(connecting).rejects.toMatchObject({ code })
  })

  it('is refused by an engine that tells nothing of itself', async () => {
    const { connecting } = await connectTo({ answers: { 'GET /info': json({}) } })
    await expect(connecting).rejects.toMatchObject({
      code: 'ENGINE_PROTOCOL',
      message: expect.stringContaining('MemTotal'),
    })
  })
})
