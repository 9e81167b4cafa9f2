import { SandboxError } from 'dsh-bash-error'
import { beforeAll, describe, expect, it } from 'vitest'
import type { EnginePort } from '../../src/engine/port.ts'
import type { ContainerBody, HostConfig } from '../../src/engine/requests.ts'
import { type Engine, probeEngine, type ProbeResult } from '../../src/index.ts'
import { type TestEngine, testEngine } from '../support/engine.ts'

/** Scripts match results by these names. */
const factNames = [
  'api-version',
  'engine-version',
  'containerd-version',
  'runc-version',
  'archive-endpoint',
  'seccomp',
  'mandatory-access',
  'user-namespace',
  'cgroup',
  'limit-memory',
  'limit-swap',
  'limit-pids',
  'limit-cpus',
  'storage',
  'runtimes',
  'init',
  'engine-warnings',
]
const sessionNames = [
  'session-start',
  'command-capabilities',
  'command-no-new-privileges',
  'command-seccomp',
  'read-only-root',
  'no-network',
  'session-pids-limit',
  'session-memory-limit',
  'stdin-end',
  'start-failure',
  'signal',
  'removal',
  'supervisor',
]

let test: TestEngine

beforeAll(async () => {
  test = await testEngine()
})

/** The real engine, but for some calls; remembers which containers were made. */
function engineThat(change: (port: EnginePort) => Partial<EnginePort>): { engine: Engine; created: string[] } {
  const created: string[] = []
  const changed: EnginePort = { ...test.engine.port, ...change(test.engine.port) }
  const createContainer: EnginePort['createContainer'] = async (...args) => {
    const id = await changed.createContainer(...args)
    created.push(id)
    return id
  }
  return { engine: { ...test.engine, port: { ...changed, createContainer } }, created }
}

/** An engine that takes a container's settings and applies others. */
function engineThatApplies(settings: { readonly [Name in keyof HostConfig]?: unknown }): Engine {
  return engineThat((port) => ({
    createContainer: (name, body, options) =>
      port.createContainer(
        name,
        { ...body, HostConfig: { ...body.HostConfig, ...settings } } as ContainerBody,
        options,
      ),
  })).engine
}

function bad(results: readonly ProbeResult[]): string[] {
  return results.filter(({ status }) => status === 'failed').map(({ name }) => name)
}

describe('probing an engine', () => {
  it('finds nothing failed on the real one, tries everything, and leaves nothing', async () => {
    const { engine, created } = engineThat(() => ({}))
    const results = await probeEngine(engine, { image: test.image })
    expect(bad(results)).toEqual([])
    expect(results.map(({ name }) => name)).toEqual([...factNames, 'image', ...sessionNames])
    // One for the tries, one for the supervisor, and perhaps one that carried it to the engine.
    expect(created.length).toBeGreaterThanOrEqual(2)
    for (const id of created) {
      await expect(test.docker.getContainer(id).inspect()).rejects.toMatchObject({ statusCode: 404 })
    }
    expect(JSON.parse(JSON.stringify(results))).toEqual(results)
  })

  it.each([
    ['command-capabilities', { CapDrop: [] }],
    ['command-no-new-privileges', { SecurityOpt: [] }],
    ['command-seccomp', { SecurityOpt: ['no-new-privileges', 'seccomp=unconfined'] }],
    ['read-only-root', { ReadonlyRootfs: false }],
    ['no-network', { NetworkMode: 'bridge' }],
    ['session-pids-limit', { PidsLimit: 0 }],
    ['session-memory-limit', { Memory: 0, MemorySwap: 0 }],
  ])('fails %s, and only that, on an engine that applies %j', async (name, settings) => {
    expect(bad(await probeEngine(engineThatApplies(settings), { image: test.image }))).toEqual([name])
  })

  it('fails start-failure on an engine that says that what it could not start has run', async () => {
    const { engine } = engineThat((port) => ({
      inspectExec: async (id) => {
        const facts = await port.inspectExec(id)
        return facts?.pid === 0 ? { ...facts, pid: 4711 } : facts
      },
    }))
    const results = await probeEngine(engine, { image: test.image })
    expect(bad(results)).toEqual(['start-failure'])
  })

  it('fails removal on an engine that still knows the container', async () => {
    const { engine, created } = engineThat(() => ({
      inspectContainer: async () => ({
        id: '',
        running: true,
        status: 'running',
        exitCode: 0,
        labels: {},
        appArmorProfile: undefined,
      }),
    }))
    expect(bad(await probeEngine(engine, { image: test.image }))).toEqual(['removal'])
    await expect(test.docker.getContainer(created[0] ?? '').inspect()).rejects.toMatchObject({ statusCode: 404 })
  })

  it('cannot try a session without its image, and fetches none', async () => {
    const { engine, created } = engineThat(() => ({ pullImage: () => expect.unreachable() }))
    const results = await probeEngine(engine, { image: 'bash-docker-test/absent:none' })
    expect(results.at(-1)).toMatchObject({ name: 'image', status: 'unknown', hint: expect.stringContaining('run') })
    expect(created).toEqual([])
  })

  it('has a result for every probe where no container starts', async () => {
    const refusal = new SandboxError('ENGINE_REFUSED', 'no more', { context: { status: 500 } })
    const { engine } = engineThat(() => ({ startContainer: () => Promise.reject(refusal) }))
    const results = await probeEngine(engine, { image: test.image })
    const [start, ...tries] = results.slice(-sessionNames.length, -1)
    expect(results.at(-1)).toMatchObject({ name: 'supervisor', status: 'failed' })
    expect(start).toMatchObject({ name: 'session-start', status: 'failed', detail: expect.stringContaining('no more') })
    expect(tries.map(({ name }) => name)).toEqual(sessionNames.slice(1, -1))
    expect(tries.every(({ status }) => status === 'unknown')).toBe(true)
  })

  it('has results where the engine is gone', async () => {
    const gone = new SandboxError('ENGINE_UNREACHABLE', 'gone')
    const { engine } = engineThat(() => ({ inspectImage: () => Promise.reject(gone) }))
    expect((await probeEngine(engine)).at(-1)).toMatchObject({ name: 'image', status: 'failed', detail: 'gone' })
  })
})
