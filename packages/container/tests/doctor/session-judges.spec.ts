import { describe, expect, it } from 'vitest'
import { judgeLimit } from '../../src/doctor/session/cgroup-limits.ts'
import { judgeInterfaces } from '../../src/doctor/session/no-network.ts'
import {
  judgeCapabilities,
  judgeNoNewPrivileges,
  judgeSeccompMode,
  parseProcessStatus,
} from '../../src/doctor/session/process-status.ts'
import { judgeRoot } from '../../src/doctor/session/read-only-root.ts'

const none = '0000000000000000'
const dockersDefault = '00000000a80425fb'

function status(fields: Record<string, string>): ReadonlyMap<string, string> {
  const lines = Object.entries(fields).map(([name, value]) => `${name}:\t${value}`)
  return parseProcessStatus(`Name:\tbash\n${lines.join('\n')}\n`)
}

describe('the status of a command', () => {
  it('is fine with no capability, no new privileges and a filter', () => {
    const hardened = status({
      CapInh: none,
      CapPrm: none,
      CapEff: none,
      CapBnd: none,
      CapAmb: none,
      NoNewPrivs: '1',
      Seccomp: '2',
    })
    for (const judge of [judgeCapabilities, judgeNoNewPrivileges, judgeSeccompMode]) {
      expect(judge(hardened).status).toBe('ok')
    }
  })

  it('has a capability also where it could only get it back', () => {
    expect(judgeCapabilities(status({ CapEff: none, CapBnd: dockersDefault }))).toEqual({
      status: 'failed',
      detail: `a command has capabilities: CapBnd ${dockersDefault}`,
    })
  })

  it('fails without no_new_privs', () => {
    expect(judgeNoNewPrivileges(status({ NoNewPrivs: '0' })).status).toBe('failed')
  })

  it.each(['0', '1'])('fails with seccomp in mode %s', (mode) => {
    expect(judgeSeccompMode(status({ Seccomp: mode })).status).toBe('failed')
  })

  it('is unknown where the kernel does not tell', () => {
    for (const judge of [judgeCapabilities, judgeNoNewPrivileges, judgeSeccompMode]) {
      expect(judge(parseProcessStatus('')).status).toBe('unknown')
    }
  })
})

describe('the root of a session', () => {
  it.each([
    ['overlay / overlay ro,relatime,lowerdir=/x 0 0\ntmpfs /tmp tmpfs rw 0 0\n', 'ok'],
    ['overlay / overlay rw,relatime,lowerdir=/ro 0 0\ntmpfs /ro tmpfs ro 0 0\n', 'failed'],
    ['tmpfs /tmp tmpfs ro 0 0\n', 'unknown'],
    [undefined, 'unknown'],
  ])('is judged by its mount: %j', (mounts, expected) => {
    expect(judgeRoot(mounts).status).toBe(expected)
  })
})

describe('the network of a session', () => {
  const headings = 'Inter-|   Receive                            |  Transmit\n face |bytes    packets errs\n'

  it.each([
    [`${headings}    lo:       0       0\n`, 'ok'],
    [`${headings}    lo:       0       0\n tunl0:      0       0\n  sit0:      0    0\n`, 'ok'],
    [`${headings}    lo:       0       0\n  eth0:     90       1\n`, 'failed'],
    [undefined, 'unknown'],
  ])('is judged by its interfaces: %j', (devices, expected) => {
    expect(judgeInterfaces(devices).status).toBe(expected)
  })
})

describe('a limit of a session', () => {
  it.each([
    ['64\n', 'ok'],
    ['max\n', 'failed'],
    ['9223372036854771712', 'failed'],
    ['', 'failed'],
    [undefined, 'unknown'],
  ])('of 64 is judged by what the kernel says: %j', (text, expected) => {
    expect(judgeLimit(text, 64, 'processes').status).toBe(expected)
  })
})
