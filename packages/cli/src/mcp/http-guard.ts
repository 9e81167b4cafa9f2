import type { IncomingMessage } from 'node:http'
import { showsToken } from './token.ts'

/** Where the one endpoint is. */
export const endpointPath = '/mcp'

/** Why a request goes no further. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What a request has to fit. */
export interface GuardTerms {
  readonly token: string
  /** Forms of our own address in a `Host` header, and behind `http://` in an `Origin`. */
  readonly authorities: readonly string[]
}

/**
 * Keeps out whatever is not a program of this host that knows the token. A page in a browser can make the
 * browser call us, by a name that it lets point to loopback too; but that name is then in `Host`, and the
 * page's in `Origin`.
 */
export function refusalOf({ headers, url }: IncomingMessage, { token, authorities }: GuardTerms): Refusal | undefined {
  if (!authorities.includes(headers.host ?? '')) return { status: 403, message: 'this host name is not served' }
  const { origin } = headers
  if (origin !== undefined && !authorities.some((authority) => origin === `http://${authority}`)) {
    return { status: 403, message: 'requests of other origins are not served' }
  }
  if (!showsToken(headers.authorization, token)) {
    return { status: 401, message: 'show the token', headers: { 'www-authenticate': 'Bearer realm="bash-docker"' } }
  }
  if (url?.split('?')[0] !== endpointPath) return { status: 404, message: `the endpoint is ${endpointPath}` }
  return undefined
}

/** How a client may call a loopback server on this port. */
export function authoritiesOf(port: number): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]']
  return names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
}
