import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { guardMount } from '../../src/container/mount-guard.ts'
import { type Engine, startContainer } from '../../src/index.ts'
import { containerSpec } from '../support/container.ts'
import { type TestEngine, testEngine } from '../support/engine.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'mount-guard-')))
const project = join(root, 'home/me/project')
const socketPath = join(root, 'run/engine/docker.sock')
const rootDir = join(root, 'var/engine')
const server = createServer()

let test: TestEngine
let engine: Engine

beforeAll(async () => {
  for (const path of [project, join(root, 'run/engine'), join(rootDir, 'volumes')]) mkdirSync(path, { recursive: true })
  await new Promise<void>((resolve) => void server.listen(socketPath, resolve))
  test = await testEngine()
  const { endpoint, info } = test.engine
  engine = { ...test.engine, endpoint: { ...endpoint, socketPath }, info: { ...info, rootDir } }
})
afterAll(() => {
  server.close()
  rmSync(root, { recursive: true })
})

function allow(source: string): string {
  return guardMount(engine, { source, target: '/workspace', readOnly: true }).source
}

function link(name: string, target: string): string {
  const path = join(root, name)
  symlinkSync(target, path)
  return path
}

describe('a folder of the host', () => {
  it('may be shown when it is a project, also by a link', () => {
    expect(allow(project)).toBe(project)
    // The engine gets what was checked: the link may be another one by then.
    expect(allow(link('to-project', project))).toBe(project)
  })

  it('may be shown although its name begins like that of one that may not', () => {
    for (const name of ['run/engine-notes', 'var/engine-notes']) {
      mkdirSync(join(root, name))
      expect(() => allow(join(root, name))).not.toThrow()
    }
  })

  it.each(['/', '/etc', '/home', '/root/..', '/usr', '/var', '/var/lib', '/tmp', '/tmp/', '/run'])(
    'is not shown when it is a directory of the system: %s',
    (path) => {
      expect(() => allow(path)).toThrow(
        expect.objectContaining({ code: 'WORKSPACE_REFUSED', context: expect.objectContaining({ path }) }),
      )
    },
  )

  it.each(['/proc', '/proc/1', '/proc/self/root', '/sys', '/sys/fs/cgroup', '/dev', '/dev/shm'])(
    'is not shown when it is an interface of the kernel, or leads out through one: %s',
    (path) => {
      expect(() => allow(path)).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }))
    },
  )

  it('is not shown by a link to one that is not', () => {
    const path = link('to-root', '/')
    expect(() => allow(path)).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_REFUSED', context: { path, resolvedPath: '/' } }),
    )
    expect(() => allow(link('to-link', path))).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }))
    expect(() => allow(join(path, 'etc'))).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }))
  })

  it.each(['/etc/ssh', '/etc/hostname', '/run/lock', '/var/run', '/boot/.'])(
    'is not shown when it lies where nothing belongs to a user: %s',
    (path) => {
      expect(() => allow(path)).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }))
    },
  )

  it('is not shown when it is not there, is no absolute path, or holds the socket of another engine', async () => {
    expect(() => allow(join(root, 'nothing'))).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }))
    expect(() => allow('packages')).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }))
    const state = join(root, 'state')
    mkdirSync(join(state, 'bash-docker/engine'), { recursive: true })
    expect(allow(state)).toBe(state)
    const other = createServer()
    await new Promise<void>((resolve) => void other.listen(join(state, 'bash-docker/engine/docker.sock'), resolve))
    vi.stubEnv('XDG_STATE_HOME', state)
    try {
      expect(() => allow(state)).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }))
    } finally {
      vi.unstubAllEnvs()
      other.close()
    }
  })

  it.each(['run/engine/docker.sock', 'run/engine', 'run', ''])(
    "is not shown when it is or holds the engine's socket: %j",
    (path) => {
      expect(() => allow(join(root, path))).toThrow(
        expect.objectContaining({ code: 'WORKSPACE_REFUSED', message: expect.stringContaining("the engine's socket") }),
      )
    },
  )

  it("is not shown when it holds the engine's socket by a link to that", () => {
    const directory = join(root, 'links')
    mkdirSync(directory)
    const linked = { ...engine, endpoint: { ...engine.endpoint, socketPath: link('links/docker.sock', socketPath) } }
    const mount = { source: join(root, 'run/engine'), target: '/workspace', readOnly: true }
    expect(() => guardMount(linked, mount)).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }))
  })

  it.each(['var/engine', 'var/engine/volumes', 'var'])(
    "is not shown when it has to do with the engine's data: %s",
    (path) => {
      expect(() => allow(join(root, path))).toThrow(
        expect.objectContaining({ code: 'WORKSPACE_REFUSED', message: expect.stringContaining("the engine's data") }),
      )
    },
  )

  it('that is refused starts no container', async () => {
    const spec = containerSpec(test.image, { mounts: [{ source: '/', target: '/host', readOnly: true }] })
    await expect(startContainer(test.engine, spec)).rejects.toMatchObject({ code: 'WORKSPACE_REFUSED' })
    const filters = { label: [`bash-docker.session=${spec.sessionId}`] }
    expect(await test.docker.listContainers({ all: true, filters })).toEqual([])
  })
})
