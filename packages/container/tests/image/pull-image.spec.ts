import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connectEngine } from '../../src/engine/discover.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { DEFAULT_IMAGE } from '../../src/image/default-image.ts'
import { ensureImage } from '../../src/image/ensure-image.ts'
import type { ImageProgress } from '../../src/image/image-progress.ts'
import { login, type Registry, startRegistry } from '../support/registry.ts'

let engine: Engine
let open: Registry
let closed: Registry
let reference: string
let guarded: string
const dockerConfig = mkdtempSync(join(tmpdir(), 'docker-config-'))

beforeAll(async () => {
  engine = await connectEngine()
  await ensureImage(engine, { reference: DEFAULT_IMAGE, pull: 'missing' })
  ;[open, closed] = await Promise.all([startRegistry(engine, false), startRegistry(engine, true)])
  reference = await open.publish(DEFAULT_IMAGE, 'team/base', '1.0')
  guarded = await closed.publish(DEFAULT_IMAGE, 'team/base', '1.0')
  process.env['DOCKER_CONFIG'] = dockerConfig
}, 240_000)

afterEach(async () => {
  const docker = new Docker({ socketPath: engine.endpoint.socketPath })
  for (const name of [reference, guarded])
    await docker
      .getImage(name)
      .remove()
      .catch(() => undefined) // not pulled
})

afterAll(async () => {
  delete process.env['DOCKER_CONFIG']
  rmSync(dockerConfig, { recursive: true })
  await Promise.all([open?.[Symbol.asyncDispose](), closed?.[Symbol.asyncDispose]()])
})

function logIn(auth: Record<string, unknown>): void {
  writeFileSync(join(dockerConfig, 'config.json'), JSON.stringify({ auths: { [closed.address]: auth } }))
}

describe('an image of a registry', () => {
  it('is pulled with progress when it is missing, and not again when it is there', async () => {
    const progress: ImageProgress[] = []
    const image = await ensureImage(engine, { reference, pull: 'missing', onProgress: (step) => progress.push(step) })
    expect(await engine.port.inspectImage(reference)).toMatchObject({ id: image.id })
    expect(progress[0]).toEqual({ step: 'pull', reference, line: `pulling ${reference}` })
    expect(progress.length).toBeGreaterThan(1)
    progress.length = 0
    await ensureImage(engine, { reference, pull: 'missing', onProgress: (step) => progress.push(step) })
    expect(progress).toEqual([])
  })

  it('is not pulled where that is forbidden', async () => {
    await expect(ensureImage(engine, { reference, pull: 'never' })).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' })
    expect(await engine.port.inspectImage(reference)).toBeUndefined()
  })

  it.each(['team/base:2.0', 'team/nothing:1.0'])('that the registry has not, %s, is not found', async (name) => {
    const missing = `${open.address}/${name}`
    await expect(ensureImage(engine, { reference: missing, pull: 'missing' })).rejects.toMatchObject({
      code: 'IMAGE_NOT_FOUND',
      context: { reference: missing },
    })
  })

  it('of a registry that refuses us is not pulled, and the engine says why', async () => {
    await expect(ensureImage(engine, { reference: guarded, pull: 'missing' })).rejects.toMatchObject({
      code: 'IMAGE_PULL_FAILED',
      message: expect.stringContaining('auth'),
    })
  })

  it('is pulled with the login of the Docker configuration, and not with a wrong one', async () => {
    const encode = (password: string): string => Buffer.from(`${login.username}:${password}`).toString('base64')
    logIn({ auth: encode('a guess') })
    await expect(ensureImage(engine, { reference: guarded, pull: 'missing' })).rejects.toMatchObject({
      code: 'IMAGE_PULL_FAILED',
    })
    logIn({ auth: encode(login.password) })
    await expect(ensureImage(engine, { reference: guarded, pull: 'missing' })).resolves.toMatchObject({
      reference: guarded,
    })
  })

  it('of a registry that is not there is not pulled', async () => {
    await expect(ensureImage(engine, { reference: '127.0.0.1:1/x', pull: 'missing' })).rejects.toMatchObject({
      code: 'IMAGE_PULL_FAILED',
    })
  })

  it('is not pulled any further once the caller aborts', async () => {
    const controller = new AbortController()
    const pulled = ensureImage(engine, {
      reference,
      pull: 'missing',
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('changed my mind')),
    })
    await expect(pulled).rejects.toThrow('changed my mind')
  })
})
