import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf, SandboxError } from 'dsh-bash-error'
import { signalStatus } from '../exit-status.ts'
import { catchInterrupts } from '../interrupts.ts'
import { warn } from '../output/report-error.ts'
import { HttpClients } from './http-clients.ts'
import { authoritiesOf, endpointPath, refusalOf } from './http-guard.ts'
import { refuse } from './http-refuse.ts'
import type { HttpSettings, ServedSandbox } from './mcp-settings.ts'
import type { Token } from './token.ts'

/**
 * Serves clients over streamable HTTP on a loopback address until it is interrupted.
 *
 * @returns the exit status
 * @throws `LISTEN_FAILED`
 */
export async function serveHttp(sandbox: ServedSandbox, settings: HttpSettings, token: Token): Promise<number> {
  const clients = new HttpClients(sandbox, settings)
  const server = createServer()
  const { port } = await listen(server, settings)
  const terms = { token: token.value, authorities: authoritiesOf(port) }
  server.on('request', (request, response) => {
    const refusal = refusalOf(request, terms)
    if (refusal !== undefined) return refuse(response, refusal)
    clients.handle(request, response).catch((error: unknown) => {
      console.error(error) // A fault of this program: its stack is wanted.
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 500, message: 'internal error' })
    })
  })
  const interrupted = Promise.withResolvers<NodeJS.Signals>()
  const releaseInterrupts = catchInterrupts(
    ({ signal }) => interrupted.resolve(signal),
    () => process.exit(1), // The containers end by themselves.
  )
  announce(settings, port, token)
  const signal = await interrupted.promise
  server.close()
  await clients.close()
  server.closeAllConnections()
  releaseInterrupts()
  return signalStatus(signal)
}

async function listen(server: Server, { host, port }: HttpSettings): Promise<AddressInfo> {
  server.listen({ host, port, ipv6Only: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new SandboxError('LISTEN_FAILED', `cannot listen on ${host} port ${port}: ${messageOf(error)}`, {
      context: { host, port },
      cause: error,
    })
  }
  server.on('error', warn)
  return server.address() as AddressInfo
}

/** On standard error, for whoever configures a client. */
function announce({ host }: HttpSettings, port: number, { value, isNew }: Token): void {
  const authority = host === '::1' ? `[${host}]:${port}` : `${host}:${port}`
  process.stderr.write(`bash-docker: serving MCP at http://${authority}${endpointPath}\n`)
  if (isNew) process.stderr.write(`bash-docker: the token is ${value}\n`)
}
