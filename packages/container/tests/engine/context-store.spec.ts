import fc from 'fast-check'
import { mkdir } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engineChoices } from '../../src/engine/candidates.ts'
import { readContext } from '../../src/engine/context-store.ts'
import { FakeHome, metadataPath } from '../support/fake-home.ts'

let home: FakeHome

beforeEach(() => {
  home = new FakeHome()
})
afterEach(() => home[Symbol.dispose]())

const pem = { 'ca.pem': 'CA', 'cert.pem': 'CERT', 'key.pem': 'KEY' }

describe('a Docker context', () => {
  it.each(['colima', 'päth/../with spaces', 'x'.repeat(300)])(
    'names an engine, whatever its own name: %s',
    async (name) => {
      await home.createContext(name, { Host: 'unix:///run/other.sock' })
      expect(await readContext(home.world(), name)).toMatchObject({ kind: 'unix', socketPath: '/run/other.sock' })
    },
  )

  it('is read where DOCKER_CONFIG says', async () => {
    await home.createContext('remote', { Host: 'tcp://example.org:1' })
    const world = { env: { DOCKER_CONFIG: home.path('.docker') }, homeDir: '/nowhere' }
    expect(await readContext(world, 'remote')).toMatchObject({ hostname: 'example.org' })
  })

  it('"default" is no context but the default socket', async () => {
    expect(await readContext(home.world(), 'default')).toMatchObject({ socketPath: '/var/run/docker.sock' })
  })

  it('brings its TLS files', async () => {
    await home.createContext('remote', { Host: 'tcp://example.org' }, pem)
    const tls = { ca: 'CA', cert: 'CERT', key: 'KEY', verify: true }
    expect(await readContext(home.world(), 'remote')).toMatchObject({ port: 2376, tls })
  })

  it('may have a part of the TLS files, or none', async () => {
    await home.createContext('some', { Host: 'tcp://example.org' }, { 'ca.pem': 'CA' })
    expect(await readContext(home.world(), 'some')).toMatchObject({ tls: { ca: 'CA', verify: true } })
    await home.createContext('none', { Host: 'tcp://example.org' })
    expect(await readContext(home.world(), 'none')).toMatchObject({ port: 2375, tls: undefined })
  })

  it('may say that the certificate is not checked, and then TLS is used all the same', async () => {
    await home.createContext('with', { Host: 'tcp://example.org', SkipTLSVerify: true }, pem)
    expect(await readContext(home.world(), 'with')).toMatchObject({ tls: { ca: 'CA', verify: false } })
    await home.createContext('without', { Host: 'tcp://example.org', SkipTLSVerify: true })
    expect(await readContext(home.world(), 'without')).toMatchObject({ port: 2376, tls: { verify: false } })
  })

  it('that is not there is an error that says where it was looked for', async () => {
    await expect(readContext(home.world(), 'absent')).rejects.toMatchObject({
      code: 'CONTEXT_INVALID',
      message: 'there is no Docker context "absent"',
      context: { name: 'absent', path: home.path(metadataPath('absent')) },
    })
  })

  it.each([
    ['is no JSON', '{"Name":'],
    ['is another value', 'null'],
    ['has no endpoint', { Name: 'broken', Endpoints: {} }],
    ['has an endpoint of another kind alone', { Name: 'broken', Endpoints: { kubernetes: { Host: 'x' } } }],
    ['has an empty host', { Name: 'broken', Endpoints: { docker: { Host: '' } } }],
    ['has a host that is no text', { Name: 'broken', Endpoints: { docker: { Host: 1 } } }],
  ])('that %s is an error that names the file', async (_, content) => {
    await home.write(metadataPath('broken'), content)
    await expect(readContext(home.world(), 'broken')).rejects.toMatchObject({
      code: 'CONTEXT_INVALID',
      context: { path: home.path(metadataPath('broken')) },
    })
  })

  it('whose file cannot be read is an error', async () => {
    await mkdir(home.path(metadataPath('broken')), { recursive: true })
    await expect(readContext(home.world(), 'broken')).rejects.toMatchObject({ code: 'CONTEXT_INVALID' })
  })

  it('with a host that cannot be used is refused', async () => {
    await home.createContext('far', { Host: 'ssh://me@example.org' })
    await expect(readContext(home.world(), 'far')).rejects.toMatchObject({
      code: 'ENGINE_UNREACHABLE',
      message: expect.stringContaining('ssh:// is not supported'),
    })
  })

  it('is an endpoint or an error with a code, whatever its file holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (content) => {
        await home.write(metadataPath('any'), content)
        await expect(readContext(home.world(), 'any')).rejects.toMatchObject({ code: 'CONTEXT_INVALID' })
      }),
      { numRuns: 50 },
    )
  })
})

describe('TLS by the environment', () => {
  async function firstEndpoint(env: Record<string, string>): Promise<unknown> {
    const [choice] = await engineChoices({}, home.world({ DOCKER_HOST: 'tcp://example.org', ...env }))
    return choice?.endpoint()
  }

  it('takes the files of DOCKER_CERT_PATH', async () => {
    await home.write('certs/ca.pem', 'CA')
    const env = { DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: home.path('certs') }
    expect(await firstEndpoint(env)).toMatchObject({ port: 2376, tls: { ca: 'CA', verify: true } })
  })

  it("takes those of the Docker client's configuration without it", async () => {
    await home.write('.docker/ca.pem', 'CA')
    expect(await firstEndpoint({ DOCKER_TLS_VERIFY: '1' })).toMatchObject({ tls: { ca: 'CA', verify: true } })
  })

  it('checks the certificate by what the system trusts when there are no files', async () => {
    expect(await firstEndpoint({ DOCKER_TLS_VERIFY: '1' })).toMatchObject({ port: 2376, tls: { verify: true } })
  })

  it('is not used when nobody asks for it', async () => {
    await home.write('.docker/ca.pem', 'CA')
    expect(await firstEndpoint({ DOCKER_TLS_VERIFY: '' })).toMatchObject({ port: 2375, tls: undefined })
  })
})
