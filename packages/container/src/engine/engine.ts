import type { EngineInfo, EngineVersion } from './answers.ts'
import { negotiateApiVersion } from './api-version.ts'
import type { EngineSource } from './candidates.ts'
import { openDockerodePort } from './dockerode-port.ts'
import type { EngineEndpoint } from './endpoint.ts'
import type { EnginePort } from './port.ts'

/** A Docker Engine that answered, with an API version that both sides know. */
export interface Engine {
  readonly endpoint: {
    /** Who named it. */
    readonly source: EngineSource
    /** As a Docker host string. */
    readonly host: string
    /** Set when it listens on a unix socket of this machine. */
    readonly socketPath: string | undefined
  }
  /** It listens on a unix socket, so that it can be given folders of this machine. */
  readonly isLocal: boolean
  readonly serverVersion: string
  /** The negotiated one. */
  readonly apiVersion: string
  readonly version: EngineVersion
  readonly info: EngineInfo
  readonly port: EnginePort
}

/**
 * Connects to one endpoint.
 *
 * @throws `ENGINE_UNREACHABLE`, `ENGINE_REFUSED`, `ENGINE_PROTOCOL`, `ENGINE_TOO_OLD`
 */
export async function openEngine(
  endpoint: EngineEndpoint,
  source: EngineSource,
  connectTimeoutMs: number,
): Promise<Engine> {
  const deadlines = {
    askMs: connectTimeoutMs,
    changeMs: connectTimeoutMs,
    startMs: connectTimeoutMs,
    transferMs: connectTimeoutMs,
  }
  // Unversioned: the one path that every engine serves, however old or new.
  const version = await openDockerodePort(endpoint, undefined, deadlines).version()
  const apiVersion = negotiateApiVersion({ newest: version.apiVersion, oldest: version.oldestApiVersion })
  const info = await openDockerodePort(endpoint, apiVersion, deadlines).info()
  const socketPath = endpoint.kind === 'unix' ? endpoint.socketPath : undefined
  return {
    endpoint: { source, host: endpoint.host, socketPath },
    isLocal: socketPath !== undefined,
    serverVersion: version.engine,
    apiVersion,
    version,
    info,
    port: openDockerodePort(endpoint, apiVersion),
  }
}
