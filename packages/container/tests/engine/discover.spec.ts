import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectEngine, discoverEngine, type EngineCandidate } from '../../src/index.ts'
import { FakeEngine, json, silence, versionBody } from '../support/fake-engine.ts'
import { FakeHome } from '../support/fake-home.ts'

// The sockets outside the home directory are this machine's, and may have an engine behind them.
vi.mock(import('../../src/engine/known-sockets.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    knownSockets: (world) =>
      original
        .knownSockets(world)
        .map(({ name, socketPath }) =>
          socketPath.startsWith(world.homeDir)
            ? { name, socketPath }
            : { name, socketPath: join(world.homeDir, 'root', socketPath) },
        ),
  }
})

let home: FakeHome
let stack: AsyncDisposableStack

beforeEach(() => {
  stack = new AsyncDisposableStack()
  home = stack.use(new FakeHome())
})
afterEach(() => stack.disposeAsync())

/** An engine on a socket below the home directory. */
async function engineAt(path: string, options: Parameters<typeof FakeEngine.start>[1] = {}): Promise<FakeEngine> {
  return stack.use(await FakeEngine.start(path, { ...options, socketPath: home.path(path) }))
}

const nowhere = 'unix:///nowhere/docker.sock'

function outcomes(candidates: readonly EngineCandidate[]): Record<string, string> {
  return Object.fromEntries(candidates.map(({ source, name, outcome }) => [`${source} ${name}`, outcome]))
}

describe('the search for an engine', () => {
  it('takes the option, DOCKER_HOST, DOCKER_CONTEXT, the current context and the known sockets, in this order', async () => {
    const [option, byHost, byContext, current, known] = await Promise.all([
      engineAt('option'),
      engineAt('DOCKER_HOST'),
      engineAt('DOCKER_CONTEXT'),
      engineAt('current-context'),
      engineAt('.rd/docker.sock'),
    ])
    await home.createContext('one', { Host: byContext.host })
    await home.createContext('two', { Host: current.host })
    await home.useContext('two')
    const all = { DOCKER_HOST: byHost.host, DOCKER_CONTEXT: 'one' }
    const taken = async (options: object, env: Record<string, string>): Promise<string[]> => {
      const { endpoint, serverVersion } = await connectEngine(options, home.world(env))
      return [endpoint.source, serverVersion]
    }
    expect(await taken({ host: option.host }, all)).toEqual(['option', 'option'])
    expect(await taken({ context: 'two' }, all)).toEqual(['option', 'current-context'])
    expect(await taken({}, all)).toEqual(['DOCKER_HOST', 'DOCKER_HOST'])
    expect(await taken({}, { ...all, DOCKER_HOST: '' })).toEqual(['DOCKER_CONTEXT', 'DOCKER_CONTEXT'])
    expect(await taken({}, {})).toEqual(['current-context', 'current-context'])
    await home.useContext('default')
    expect(await taken({}, {})).toEqual(['known-socket', known.host.slice(-'.rd/docker.sock'.length)])
  })

  it('tells of each candidate what came of it', async () => {
    await engineAt('.docker/run/docker.sock')
    await engineAt('.rd/docker.sock')
    const { engine, candidates } = await discoverEngine({}, home.world())
    expect(engine?.endpoint.socketPath).toBe(home.path('.docker/run/docker.sock'))
    expect(outcomes(candidates)).toEqual({
      'known-socket Docker': 'failed',
      'known-socket Docker Desktop': 'taken',
      'known-socket Docker Desktop (Linux)': 'not-tried',
      'known-socket Colima': 'not-tried',
      'known-socket Rancher Desktop': 'not-tried',
      'known-socket Podman': 'not-tried',
      'known-socket bash-docker': 'not-tried',
    })
    expect(candidates[0]).toMatchObject({ code: 'ENGINE_UNREACHABLE', reason: expect.stringContaining('ENOENT') })
    expect(candidates[1]).toMatchObject({ version: '.docker/run/docker.sock' })
    expect(candidates[2]).toMatchObject({ reason: 'Docker Desktop was taken' })
  })

  it('goes past what listens on a known socket and is no engine for us', async () => {
    await home.write('root/var/run/docker.sock', 'a file')
    await engineAt('.docker/run/docker.sock', { answers: { 'GET /version': json({ hello: 'world' }) } })
    await engineAt('.docker/desktop/docker.sock', {
      answers: { 'GET /version': json(versionBody('old', { newest: '1.24' })) },
    })
    await engineAt('.rd/docker.sock')
    const { engine, candidates } = await discoverEngine({}, home.world())
    expect(engine?.serverVersion).toBe('.rd/docker.sock')
    expect(candidates.slice(0, 3).map(({ code }) => code)).toEqual([
      'ENGINE_UNREACHABLE',
      'ENGINE_PROTOCOL',
      'ENGINE_TOO_OLD',
    ])
  })

  it('that finds none lists each place with the reason', async () => {
    const search = connectEngine({}, home.world({ XDG_RUNTIME_DIR: home.path('runtime') }))
    const error: unknown = await search.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ENGINE_NOT_FOUND' })
    const { message, context } = error as { message: string; context: { candidates: EngineCandidate[] } }
    expect(context.candidates).toHaveLength(10)
    for (const { name, host, reason } of context.candidates) {
      expect(reason).toContain('ENOENT')
      expect(message).toContain(`${name} (${host}): ${reason}`)
    }
  })

  describe('with a choice that fails', () => {
    beforeEach(async () => {
      await engineAt('.rd/docker.sock')
      await home.createContext('dead', { Host: nowhere })
    })

    it.each([
      ['option', { host: nowhere }, {}, 'ENGINE_UNREACHABLE'],
      ['option', { context: 'dead' }, {}, 'ENGINE_UNREACHABLE'],
      ['option', { context: 'absent' }, {}, 'CONTEXT_INVALID'],
      ['option', { host: 'ssh://me@example.org' }, {}, 'ENGINE_UNREACHABLE'],
      ['DOCKER_HOST', {}, { DOCKER_HOST: nowhere }, 'ENGINE_UNREACHABLE'],
      ['DOCKER_HOST', {}, { DOCKER_HOST: 'npipe:////./pipe/docker_engine' }, 'ENGINE_UNREACHABLE'],
      ['DOCKER_CONTEXT', {}, { DOCKER_CONTEXT: 'dead' }, 'ENGINE_UNREACHABLE'],
      ['DOCKER_CONTEXT', {}, { DOCKER_CONTEXT: 'absent' }, 'CONTEXT_INVALID'],
    ])('by %s (%o, %o) takes no other', async (source, options, env, code) => {
      const { engine, candidates } = await discoverEngine(options, home.world(env))
      expect(engine).toBeUndefined()
      expect(candidates[0]).toMatchObject({ source, outcome: 'failed', code })
      expect(candidates.slice(1).every(({ outcome }) => outcome === 'not-tried')).toBe(true)
      await expect(connectEngine(options, home.world(env))).rejects.toMatchObject({ code, context: { candidates } })
    })

    it('by the current context takes no other', async () => {
      await home.useContext('dead')
      await expect(connectEngine({}, home.world())).rejects.toMatchObject({ code: 'ENGINE_UNREACHABLE' })
      await home.useContext('absent')
      await expect(connectEngine({}, home.world())).rejects.toMatchObject({ code: 'CONTEXT_INVALID' })
    })

    it.each(['{', '[]', '{"currentContext": 1}'])(
      'by a configuration that nobody can read takes no other: %s',
      async (text) => {
        await home.write('.docker/config.json', text)
        await expect(connectEngine({}, home.world())).rejects.toMatchObject({
          code: 'CONTEXT_INVALID',
          context: { path: home.path('.docker/config.json') },
        })
      },
    )
  })

  it('gives an engine that does not answer its time, and no more', async () => {
    const { host } = await engineAt('silent', { answers: { 'GET /version': silence } })
    await expect(connectEngine({ host, connectTimeoutMs: 50 }, home.world())).rejects.toMatchObject({
      code: 'ENGINE_UNREACHABLE',
      context: { deadlineMs: 50, host },
    })
  })

  it.each([
    [{ host: nowhere, context: 'x' }, 'not both'],
    [{ host: '' }, 'host'],
    [{ connectTimeoutMs: 0 }, 'connectTimeoutMs'],
    [{ hots: nowhere }, 'hots'],
  ])('refuses options that cannot be used: %o', async (options: object, named) => {
    await expect(discoverEngine(options, home.world())).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(named),
    })
  })
})
