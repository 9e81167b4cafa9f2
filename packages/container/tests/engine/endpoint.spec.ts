import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEngineHost } from '../../src/engine/endpoint.ts'

const tls = { verify: true, ca: 'ca' }

describe('a Docker host', () => {
  it('is a unix socket by its absolute path', () => {
    expect(parseEngineHost('unix:///var/run/docker.sock')).toEqual({
      kind: 'unix',
      host: 'unix:///var/run/docker.sock',
      socketPath: '/var/run/docker.sock',
    })
  })

  it.each([
    ['tcp://engine.example:1234', undefined, 'engine.example', 1234],
    ['engine.example:1234', undefined, 'engine.example', 1234],
    ['tcp://engine.example', undefined, 'engine.example', 2375],
    ['tcp://engine.example', tls, 'engine.example', 2376],
    ['tcp://engine.example/', undefined, 'engine.example', 2375],
    ['TCP://10.0.0.1:80', undefined, '10.0.0.1', 80],
    ['tcp://[fd00::1]:2375', undefined, 'fd00::1', 2375],
  ])('is a port of a host: %s', (host, material, hostname, port) => {
    expect(parseEngineHost(host, material)).toEqual({ kind: 'tcp', host, hostname, port, tls: material })
  })

  it('is any host and port', () => {
    fc.assert(
      fc.property(fc.domain(), fc.integer({ min: 1, max: 65_535 }), (hostname, port) => {
        expect(parseEngineHost(`tcp://${hostname}:${port}`)).toMatchObject({ hostname: hostname.toLowerCase(), port })
      }),
    )
  })

  it.each([
    'ssh://user@host',
    'npipe:////./pipe/docker_engine',
    'fd://',
    'https://host:2376',
    'unix://relative.sock',
    'unix://',
    'tcp://',
    'tcp://host:70000',
    'tcp://user@host:1',
    'tcp://host:1/path',
    'two words',
    '',
  ])('is not %j: refused with what to give instead', (host) => {
    expect(() => parseEngineHost(host)).toThrowError(
      expect.objectContaining({
        code: 'ENGINE_UNREACHABLE',
        context: { host },
        hint: expect.stringContaining('unix:///'),
      }),
    )
  })
})
