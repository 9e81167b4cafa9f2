import { SandboxError } from 'dsh-bash-error'

/** What a TLS connection to an engine needs; all PEM. */
export interface TlsMaterial {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  /** False only where a Docker context says `SkipTLSVerify`. */
  readonly verify: boolean
}

/** Where an engine listens. `host` is the same as a Docker host string, for people. */
export type EngineEndpoint =
  | { readonly kind: 'unix'; readonly host: string; readonly socketPath: string }
  | {
      readonly kind: 'tcp'
      readonly host: string
      readonly hostname: string
      readonly port: number
      readonly tls: TlsMaterial | undefined
    }

const plainPort = 2375
const tlsPort = 2376

/**
 * Parses a Docker host string: `unix:///path`, `tcp://host[:port]`, or `host:port` as the Docker
 * client reads it.
 *
 * `ssh://` and `npipe://` are refused: the first needs one connection per request and has no reliable
 * half-close, the second ends a hijacked stream without an end of file, so that a command's result
 * would never come.
 *
 * @throws `ENGINE_UNREACHABLE` for a host that cannot be used
 */
export function parseEngineHost(host: string, tls?: TlsMaterial): EngineEndpoint {
  if (host.startsWith('unix://')) {
    const socketPath = host.slice('unix://'.length)
    if (!socketPath.startsWith('/')) throw unusable(host, 'a unix socket needs an absolute path')
    return { kind: 'unix', host, socketPath }
  }
  const scheme = /^([a-z]+):\/\//i.exec(host)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'tcp') throw unusable(host, `${scheme}:// is not supported`)
  return parseTcp(host, tls)
}

function parseTcp(host: string, tls: TlsMaterial | undefined): EngineEndpoint {
  // With a scheme that URL knows as "special", it parses and normalises host and port.
  const address = host.replace(/^tcp:\/\//i, '')
  if (!URL.canParse(`http://${address}`)) throw unusable(host, 'it is not a host and a port')
  const url = new URL(`http://${address}`)
  if (url.hostname === '' || url.pathname !== '/' || url.username !== '' || url.search !== '') {
    throw unusable(host, 'it is not a host and a port')
  }
  // URL drops port 80, its default for this scheme.
  const explicitPort = url.port === '' ? /:80$/.exec(address) && 80 : Number(url.port)
  const port = explicitPort ?? (tls ? tlsPort : plainPort)
  return { kind: 'tcp', host, hostname: url.hostname.replace(/^\[|\]$/g, ''), port, tls }
}

function unusable(host: string, why: string): SandboxError {
  return new SandboxError('ENGINE_UNREACHABLE', `cannot use the engine host "${host}": ${why}`, {
    context: { host },
    hint: 'Give unix:///path/to/docker.sock or tcp://host:port.',
  })
}
