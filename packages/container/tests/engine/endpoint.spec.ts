import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEngineHost } from '../../src/engine/endpoint.ts'

const tls = { ca: 'CA', verify: true }

describe('a Docker host string', () => {
  it('is a unix socket', () => {
    const host = 'unix:///run/user/1000/docker.sock'
    expect(parseEngineHost(host)).toEqual({ kind: 'unix', host, socketPath: '/run/user/1000/docker.sock' })
  })

  it.each([
    ['tcp://example.org:4711', 'example.org', 4711],
    ['tcp://example.org', 'example.org', 2375],
    ['TCP://example.org', 'example.org', 2375],
    ['tcp://example.org:80', 'example.org', 80],
    ['tcp://example.org:4711/', 'example.org', 4711],
    ['example.org:4711', 'example.org', 4711],
    ['127.0.0.1', '127.0.0.1', 2375],
    ['tcp://[::1]:4711', '::1', 4711],
  ])('is a host and a port: %s', (host, hostname, port) => {
    expect(parseEngineHost(host)).toEqual({ kind: 'tcp', host, hostname, port, tls: undefined })
  })

  it('has another port with TLS when it names none', () => {
    expect(parseEngineHost('tcp://example.org', tls)).toMatchObject({ port: 2376, tls })
    expect(parseEngineHost('tcp://example.org:2375', tls)).toMatchObject({ port: 2375, tls })
  })

  it.each([
    ['ssh://me@example.org', 'ssh:// is not supported'],
    ['npipe:////./pipe/docker_engine', 'npipe:// is not supported'],
    ['http://example.org:2375', 'http:// is not supported'],
    ['fd://', 'fd:// is not supported'],
    ['unix://docker.sock', 'a unix socket needs an absolute path'],
    ['unix://', 'a unix socket needs an absolute path'],
    ['tcp://', 'it is not a host and a port'],
    ['', 'it is not a host and a port'],
    ['tcp://example.org:70000', 'it is not a host and a port'],
    ['tcp://example.org:2375/v1.41', 'it is not a host and a port'],
    ['tcp://me@example.org:2375', 'it is not a host and a port'],
    ['tcp://example.org?x=1', 'it is not a host and a port'],
  ])('is refused when it cannot be used: %j', (host, why) => {
    expect(() => parseEngineHost(host)).toThrow(
      expect.objectContaining({
        code: 'ENGINE_UNREACHABLE',
        message: `cannot use the engine host "${host}": ${why}`,
        context: { host },
      }),
    )
  })

  it('keeps every host name and port', () => {
    fc.assert(
      fc.property(fc.domain(), fc.integer({ min: 1, max: 65_535 }), (hostname, port) => {
        expect(parseEngineHost(`tcp://${hostname}:${port}`)).toMatchObject({ hostname: hostname.toLowerCase(), port })
      }),
    )
  })

  it('is an endpoint or a refusal with a code, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `tcp://${text}`),
        ),
        (host) => {
          try {
            expect(['unix', 'tcp']).toContain(parseEngineHost(host).kind)
          } catch (error) {
            expect(error).toMatchObject({ code: 'ENGINE_UNREACHABLE' })
          }
        },
      ),
    )
  })
})
