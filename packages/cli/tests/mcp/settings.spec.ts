import { describe, expect, it } from 'vitest'
import { parseOptions } from '../../src/arguments/parse-options.ts'
import { mcpOptions } from '../../src/mcp/mcp-options.ts'
import { httpSettings, servedSandbox } from '../../src/mcp/mcp-settings.ts'

function values(...args: string[]) {
  return parseOptions(mcpOptions, args).values
}

function sandboxOf(...args: string[]) {
  return servedSandbox(values(...args), '/caller/folder', { OWN: 'mine' })
}

describe('what the options of mcp say', () => {
  it('is the safe sandbox without any, for whichever timeout a model may ask', () => {
    expect(sandboxOf()).toMatchObject({
      env: undefined,
      config: {
        cwd: '/caller/folder',
        workspace: { mode: 'bind', path: '/caller/folder', access: 'read-only' },
        network: 'none',
        inherit: 'scrubbed',
        transport: 'supervisor',
        timeoutMs: 120_000,
        maxTimeoutMs: 600_000,
        idleMs: 900_000,
      },
    })
  })

  it('is what run has, and what only a server needs', () => {
    const args = ['--image=debian:12', '--network=build', '--write', '--memory=512m', '--user=1:2', '--idle=1h']
    expect(sandboxOf(...args, '--env=OWN', '--env=A=b', '--timeout=20m')).toMatchObject({
      env: { OWN: 'mine', A: 'b' },
      config: {
        image: 'debian:12',
        network: 'build',
        workspace: { access: 'read-write' },
        limits: { memoryBytes: 536_870_912 },
        user: { uid: 1, gid: 2 },
        idleMs: 3_600_000,
        timeoutMs: 1_200_000,
        maxTimeoutMs: 1_200_000,
      },
    })
    expect(sandboxOf('--timeout=1s').config).toMatchObject({ timeoutMs: 1000, maxTimeoutMs: 600_000 })
    expect(() => sandboxOf('--max-timeout=1s')).toThrow('--max-timeout is shorter')
  })

  it('is nowhere a local run or an input', () => {
    for (const name of ['local', 'stdin', 'json']) expect(mcpOptions).not.toHaveProperty(name)
  })

  it('is a loopback address for HTTP', () => {
    expect(httpSettings(values(), 5)).toBeUndefined()
    expect(httpSettings(values('--http'), 5)).toEqual({
      host: '127.0.0.1',
      port: 8765,
      maxClients: 256,
      reconnectMs: 30_000,
      idleMs: 5,
    })
    for (const wrong of ['--host=0.0.0.0', '--host=::', '--port=65536', '--max-clients=x', '--reconnect=0']) {
      expect(() => httpSettings(values('--http', wrong), 5), wrong).toThrow(wrong.split('=')[0])
    }
    expect(() => httpSettings(values('--token-file=x'), 5)).toThrow('--token-file means nothing without --http')
  })
})
