import type { ResolvedDockerConfig } from 'dsh-bash-docker'
import { usageError, valueError } from '../arguments/usage-error.ts'
import { choice, count, timeoutMs } from '../arguments/values.ts'
import { dockerConfig } from '../run/docker-world.ts'
import { readVariables } from '../run/variables.ts'
import { httpOptionNames, type McpValues } from './mcp-options.ts'

/** What every client of the server gets. */
export interface ServedSandbox {
  readonly config: ResolvedDockerConfig
  /** Variables for every command, from whoever started the server; undefined when there are none. */
  readonly env: Readonly<Record<string, string>> | undefined
}

/** How the server is reached over HTTP. */
export interface HttpSettings {
  readonly host: '127.0.0.1' | '::1'
  /** 0 takes any free one. */
  readonly port: number
  readonly maxClients: number
  /** Milliseconds until a client whose stream broke counts as gone. */
  readonly reconnectMs: number
  /** Milliseconds until a client that holds no stream and asks nothing counts as gone. */
  readonly idleMs: number
}

const defaultPort = 8765
const defaultMaxClients = 256
const defaultReconnectMs = 30_000
/** As of `maxTimeoutMs` in docs/limits.md. */
const defaultMaxTimeoutMs = 600_000

/** @throws `USAGE`, `TIMEOUT_INVALID`, `CONFIG_INVALID` */
export function servedSandbox(
  values: McpValues,
  callerDir: string,
  callerEnv: Readonly<Record<string, string | undefined>>,
): ServedSandbox {
  const config = dockerConfig(values, callerDir)
  const maxTimeoutMs = timeoutMs('max-timeout', values['max-timeout'])
  if (maxTimeoutMs !== undefined && maxTimeoutMs < config.timeoutMs) {
    throw usageError('--max-timeout is shorter than the timeout of a command for which none is given')
  }
  return {
    config: {
      ...config,
      maxTimeoutMs: maxTimeoutMs ?? Math.max(defaultMaxTimeoutMs, config.timeoutMs),
      idleMs: timeoutMs('idle', values.idle) ?? config.idleMs,
    },
    env: values.env === undefined ? undefined : readVariables(values.env, callerEnv),
  }
}

/**
 * Undefined for standard input and output.
 *
 * @throws `USAGE`, `TIMEOUT_INVALID`
 */
export function httpSettings(values: McpValues, idleMs: number): HttpSettings | undefined {
  if (values.http !== true) {
    const given = httpOptionNames.find((name) => values[name] !== undefined)
    if (given !== undefined) throw usageError(`--${given} means nothing without --http`)
    return undefined
  }
  const port = count('port', values.port) ?? defaultPort
  if (port > 65_535) throw valueError('port', 'a port', String(values.port))
  return {
    // Anything else than loopback would hand a shell to the network.
    host: choice('host', values.host, ['127.0.0.1', '::1']) ?? '127.0.0.1',
    port,
    maxClients: count('max-clients', values['max-clients']) ?? defaultMaxClients,
    reconnectMs: timeoutMs('reconnect', values.reconnect) ?? defaultReconnectMs,
    idleMs,
  }
}
