import { join } from 'node:path'
import { defaultContext, readContext, readTls } from './context-store.ts'
import { dockerConfigDir, readDockerConfig } from './docker-config.ts'
import { type EngineEndpoint, parseEngineHost } from './endpoint.ts'
import { knownSockets } from './known-sockets.ts'
import { type EngineWorld, setting } from './world.ts'

/** Who named an engine. */
export type EngineSource = 'option' | 'DOCKER_HOST' | 'DOCKER_CONTEXT' | 'current-context' | 'known-socket'

/** One place where an engine may be. */
export interface EngineChoice {
  readonly source: EngineSource
  /** For people: the host, the context, or the product. */
  readonly name: string
  /** Somebody chose it: when it fails, nothing else is tried. */
  readonly explicit: boolean
  /** @throws when what names it cannot be used */
  readonly endpoint: () => Promise<EngineEndpoint>
}

/** Every place where an engine may be, in the order in which they are tried. */
export async function engineChoices(
  chosen: { host?: string | undefined; context?: string | undefined },
  world: EngineWorld,
): Promise<EngineChoice[]> {
  const { host, context } = chosen
  return [
    ...(host === undefined ? [] : [byHost('option', host, world)]),
    ...(context === undefined ? [] : [byContext('option', context, world)]),
    ...fromEnvironment(world),
    ...(await currentContext(world)),
    ...knownSockets(world).map(({ name, socketPath }): EngineChoice => ({
      source: 'known-socket',
      name,
      explicit: false,
      endpoint: async () => parseEngineHost(`unix://${socketPath}`),
    })),
  ]
}

function fromEnvironment(world: EngineWorld): EngineChoice[] {
  const host = setting(world, 'DOCKER_HOST')
  const context = setting(world, 'DOCKER_CONTEXT')
  return [
    ...(host === undefined ? [] : [byHost('DOCKER_HOST', host, world)]),
    ...(context === undefined ? [] : [byContext('DOCKER_CONTEXT', context, world)]),
  ]
}

async function currentContext(world: EngineWorld): Promise<EngineChoice[]> {
  try {
    const name = (await readDockerConfig(world)).currentContext
    return name === undefined || name === '' || name === defaultContext
      ? []
      : [byContext('current-context', name, world)]
  } catch (error) {
    // It may name an engine, and we cannot know which: a choice that fails.
    const name = join(dockerConfigDir(world), 'config.json')
    return [{ source: 'current-context', name, explicit: true, endpoint: () => Promise.reject(error) }]
  }
}

function byHost(source: EngineSource, host: string, world: EngineWorld): EngineChoice {
  return {
    source,
    name: host,
    explicit: true,
    endpoint: async () => {
      const verify = setting(world, 'DOCKER_TLS_VERIFY') !== undefined
      if (!verify) return parseEngineHost(host)
      const dir = setting(world, 'DOCKER_CERT_PATH') ?? dockerConfigDir(world)
      return parseEngineHost(host, (await readTls(dir, true)) ?? { verify: true })
    },
  }
}

function byContext(source: EngineSource, name: string, world: EngineWorld): EngineChoice {
  return { source, name, explicit: true, endpoint: () => readContext(world, name) }
}
