import { describe, expect, it } from 'vitest'
import { isReleaseIn } from '../../src/doctor/facts/release.ts'
import { judgeFacts } from '../../src/doctor/probe-engine.ts'
import type { ProbeResult } from '../../src/index.ts'
import { engineFacts } from './engine-facts.ts'

function judged(name: string, changes: Parameters<typeof engineFacts>[0]): ProbeResult {
  return judgeFacts(engineFacts(changes)).find((result) => result.name === name) ?? expect.unreachable()
}

describe('what an engine says of itself', () => {
  it('is fine all over where it is', () => {
    expect(judgeFacts(engineFacts()).filter(({ status }) => status !== 'ok')).toEqual([])
  })

  it('names the versions', () => {
    expect(judged('api-version', {}).detail).toBe('API 1.47 is spoken; the engine knows 1.44 to 1.52')
    expect(judged('engine-version', {}).detail).toBe('engine 29.6.0 on Ubuntu 26.04 LTS (linux/x86_64)')
    expect(judged('containerd-version', {}).detail).toBe('containerd v2.2.0')
  })

  it.each([
    ['1.3.6', 'ok'],
    ['1.3.5', 'warning'],
    ['1.3.6-rc.1', 'warning'],
    ['v1.2.9', 'warning'],
    ['1.4.0', 'warning'],
    ['1.4.2', 'warning'],
    ['1.4.3', 'ok'],
    ['1.5.0-rc.2', 'warning'],
    ['1.5.0-rc.3', 'ok'],
    ['1.5.0', 'ok'],
    ['2.0.0', 'ok'],
    ['1.1.5+ds1', 'unknown'],
    ['1.3.3-0ubuntu1~24.04.2', 'unknown'],
    ['1.1.12-0ubuntu2', 'unknown'],
    ['', 'unknown'],
  ] as const)('judges runc %s as %s', (runc, status) => {
    expect(judged('runc-version', { components: { runc } }).status).toBe(status)
  })

  it('does not know what is not reported', () => {
    const { version, ...facts } = engineFacts()
    const results = judgeFacts({ ...facts, version: { ...version, components: {} } })
    const unknown = results.filter(({ status }) => status === 'unknown').map(({ name }) => name)
    expect(unknown).toEqual(['containerd-version', 'runc-version'])
  })

  it.each([
    ['29.5.0', 'warning'],
    ['29.5.1', 'ok'],
    ['30.0.0', 'ok'],
    ['28.5.2', 'warning'],
    ['20.10.24+dfsg1', 'unknown'],
  ] as const)('judges the archive endpoint of engine %s as %s, and names what it is about', (Engine, status) => {
    const result = judged('archive-endpoint', { components: { Engine } })
    expect(result.status).toBe(status)
    if (status !== 'ok') expect(result.detail).toContain('CVE-2026-41567')
  })

  it.each([
    [['name=seccomp,profile=default'], 'ok'],
    [['seccomp'], 'ok'],
    [['name=seccomp,profile=unconfined'], 'failed'],
    [[], 'failed'],
    [null, 'failed'],
  ] as const)('judges the filter of system calls by %j as %s', (SecurityOptions, status) => {
    expect(judged('seccomp', { info: { SecurityOptions } }).status).toBe(status)
  })

  it.each([
    [['name=apparmor'], 'ok'],
    [['name=selinux'], 'ok'],
    [['name=seccomp,profile=default'], 'warning'],
  ] as const)('judges mandatory access control by %j as %s', (SecurityOptions, status) => {
    expect(judged('mandatory-access', { info: { SecurityOptions } }).status).toBe(status)
  })

  it.each([
    [['name=rootless'], 'warning', 'without root'],
    [['name=userns'], 'warning', 'shifted on the host'],
    [['name=cgroupns'], 'ok', 'off'],
  ] as const)('judges the user namespace by %j as %s', (SecurityOptions, status, detail) => {
    expect(judged('user-namespace', { info: { SecurityOptions } })).toMatchObject({
      status,
      detail: expect.stringContaining(detail),
    })
  })

  it.each([
    ['limit-memory', 'MemoryLimit', 'failed'],
    ['limit-swap', 'SwapLimit', 'warning'],
    ['limit-pids', 'PidsLimit', 'failed'],
    ['limit-cpus', 'CpuCfsQuota', 'warning'],
  ] as const)('judges %s, which an engine cannot enforce or does not tell of', (name, field, status) => {
    expect(judged(name, { info: { [field]: false } }).status).toBe(status)
    expect(judged(name, { info: { [field]: undefined } }).status).toBe('unknown')
  })

  it('does not know the version of cgroups, the driver, the runtimes or the init that are not named', () => {
    const info = { CgroupVersion: undefined, Driver: undefined, Runtimes: null, InitBinary: '' }
    for (const name of ['cgroup', 'storage', 'runtimes', 'init']) {
      expect(judged(name, { info })).toMatchObject({ name, status: 'unknown' })
    }
  })

  it.each([
    ['overlay2', 'extfs', 'cannot be limited'],
    ['overlay2', 'xfs', 'mounted with pquota'],
    ['btrfs', undefined, 'can be limited'],
    ['zfs', undefined, 'can be limited'],
  ])('tells whether the size of a root can be limited: %s on %s', (Driver, fileSystem, detail) => {
    const DriverStatus = fileSystem === undefined ? [] : [['Backing Filesystem', fileSystem]]
    expect(judged('storage', { info: { Driver, DriverStatus } }).detail).toContain(detail)
  })

  it('tells whether there is a runtime with a kernel of its own', () => {
    expect(judged('runtimes', {}).detail).toContain('none with a kernel of its own')
    expect(judged('runtimes', { info: { Runtimes: { runc: {}, runsc: {} } } }).detail).toBe('runc (default), runsc')
  })

  it("passes the engine's own warnings on", () => {
    const Warnings = ['WARNING: No swap limit support', 'WARNING: bridge-nf-call-iptables is disabled']
    expect(judged('engine-warnings', { info: { Warnings } })).toMatchObject({
      status: 'warning',
      detail: 'No swap limit support; bridge-nf-call-iptables is disabled',
    })
  })
})

describe('a version', () => {
  it.each([
    ['1.2.3', true],
    ['v1.2.3', true],
    ['1.3.0-rc95', true],
    ['2.0.0-beta.2', false],
    ['2.0.0', false],
    ['1.2.3+ds1', undefined],
    ['1.6.20~ds1', undefined],
    ['1.2.3-0ubuntu2', undefined],
    ['unknown-version', undefined],
  ])('%s is in >=1.2.3 <2.0.0-0: %s', (version, isIn) => {
    expect(isReleaseIn(version, '>=1.2.3 <2.0.0-0')).toBe(isIn)
  })
})
