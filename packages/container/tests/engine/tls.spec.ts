import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDockerodePort } from '../../src/engine/dockerode-port.ts'
import { parseEngineHost, type TlsMaterial } from '../../src/engine/endpoint.ts'
import type { EnginePort } from '../../src/engine/port.ts'

const read = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8')
const client = { cert: read('client'), key: read('client-key') }
const authority = { ca: read('ca') }

let server: Server
/** Names in the certificates of those who asked. */
let guests: string[]

beforeEach(async () => {
  guests = []
  const options = { ...authority, cert: read('engine'), key: read('engine-key'), requestCert: true }
  server = createServer(options, (request, response) => {
    guests.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN))
    response.end(JSON.stringify({ Version: '27.0', ApiVersion: '1.46' }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function portWith(tls: TlsMaterial): EnginePort {
  return openDockerodePort(parseEngineHost(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, tls), undefined)
}

describe('an engine over TLS', () => {
  it('is verified, and shown the certificate of the client', async () => {
    const port = portWith({ ...authority, ...client, verify: true })
    expect(await port.version()).toMatchObject({ engine: '27.0' })
    expect(guests).toEqual(['client'])
  })

  it('of an authority that nobody vouches for is not asked anything', async () => {
    const port = portWith({ ...client, verify: true })
    await expect(port.version()).rejects.toMatchObject({ code: 'ENGINE_UNREACHABLE' })
    expect(guests).toEqual([])
  })

  it('is taken as it is where its context does not want it verified', async () => {
    const port = portWith({ ...client, verify: false })
    expect(await port.version()).toMatchObject({ engine: '27.0' })
  })
})
