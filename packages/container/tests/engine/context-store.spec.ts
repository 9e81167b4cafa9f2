import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readContext } from '../../src/engine/context-store.ts'
import { FakeHome } from '../support/fake-home.ts'

let home: FakeHome
beforeEach(() => {
  home = new FakeHome()
})
afterEach(() => home[Symbol.dispose]())

const metaPath = (name: string): string =>
  `.docker/contexts/meta/${createHash('sha256').update(name).digest('hex')}/meta.json`

describe('a Docker context', () => {
  it('is found by the hash of its name, whatever that is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary' }), async (name) => {
        fc.pre(name !== 'default')
        home.context(name, { Host: 'unix:///here.sock' })
        expect(await readContext(home.world(), name)).toMatchObject({ socketPath: '/here.sock' })
      }),
      { numRuns: 30 },
    )
  })

  it('has TLS material when its store has, and is verified unless it says otherwise', async () => {
    home.context('safe', { Host: 'tcp://far:2376' }, { ca: 'CA', cert: 'CERT', key: 'KEY' })
    expect(await readContext(home.world(), 'safe')).toMatchObject({
      tls: { ca: 'CA', cert: 'CERT', key: 'KEY', verify: true },
    })
    home.context('lax', { Host: 'tcp://far:2376', SkipTLSVerify: true }, { ca: 'CA' })
    expect(await readContext(home.world(), 'lax')).toMatchObject({ tls: { ca: 'CA', verify: false } })
    home.context('bare', { Host: 'tcp://far', SkipTLSVerify: true })
    expect(await readContext(home.world(), 'bare')).toMatchObject({ port: 2376, tls: { verify: false } })
  })

  it('named default is the default socket', async () => {
    expect(await readContext(home.world(), 'default')).toMatchObject({ socketPath: '/var/run/docker.sock' })
  })

  it('that does not exist is an error that names it', async () => {
    await expect(readContext(home.world(), 'nowhere')).rejects.toMatchObject({
      code: 'CONTEXT_INVALID',
      message: 'there is no Docker context "nowhere"',
      context: { name: 'nowhere' },
    })
  })

  it.each([
    'not json',
    '{}',
    '{"Name":"x","Endpoints":{}}',
    '{"Name":"x","Endpoints":{"docker":{"Host":""}}}',
    '{"Name":"x","Endpoints":{"docker":{"Host":"unix:///x","SkipTLSVerify":"no"}}}',
  ])('whose metadata is %s is an error that names the file', async (text) => {
    const path = home.write(metaPath('x'), text)
    await expect(readContext(home.world(), 'x')).rejects.toMatchObject({ code: 'CONTEXT_INVALID', context: { path } })
  })

  it('whose metadata cannot be read is an error', async () => {
    const path = home.write(`${metaPath('x')}/in-the-way`, '')
    mkdirSync(dirname(path), { recursive: true })
    await expect(readContext(home.world(), 'x')).rejects.toMatchObject({ code: 'CONTEXT_INVALID' })
  })

  it('never throws anything but a named error, whatever its file holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        home.write(metaPath('x'), text)
        const code = await readContext(home.world(), 'x').then(
          () => undefined,
          (error: { code?: string }) => error.code,
        )
        expect(['CONTEXT_INVALID', 'ENGINE_UNREACHABLE', undefined]).toContain(code)
      }),
      { numRuns: 50 },
    )
  })
})
