import { describe, expect, it } from 'vitest'
import { parseOptions } from '../../src/arguments/parse-options.ts'
import { dockerConfig } from '../../src/run/docker-world.ts'
import { runOptions } from '../../src/run/run-options.ts'

function configOf(...args: string[]) {
  return dockerConfig(parseOptions(runOptions, args).values, '/caller/folder')
}

describe('the configuration that the options of run say', () => {
  it('is the safe one without any: the current folder, read-only, no network', () => {
    expect(configOf()).toMatchObject({
      cwd: '/caller/folder',
      workspace: { mode: 'bind', path: '/caller/folder', access: 'read-only' },
      network: 'none',
      inherit: 'scrubbed',
      timeoutMs: 120_000,
    })
  })

  it('has an option for everything that a deployment may vary for one command', () => {
    expect(
      configOf(
        '--image=debian:12',
        '--pull=never',
        '--transport=exec',
        '--workspace=/other',
        '--write',
        '--read-only-path=/tools',
        '--read-only-path=../data',
        '--workdir=/other/sub',
        '--inherit=LANG,TZ',
        '--network=build',
        '--user=1:2',
        '--memory=512m',
        '--cpus=0.5',
        '--pids=64',
        '--tmp=1m',
        '--home=2m',
        '--shm=3m',
        '--open-files=100',
        '--runtime=runsc',
        '--engine=unix:///x.sock',
        '--connect-timeout=2s',
        '--timeout=1h',
        '--grace=1s',
        '--max-output=1k',
        '--max-spill=1m',
        '--spill-quota=2m',
      ),
    ).toEqual({
      cwd: '/other/sub',
      timeoutMs: 3_600_000,
      maxTimeoutMs: 3_600_000,
      graceMs: 1000,
      maxOutputBytes: 1024,
      maxSpillBytes: 1_048_576,
      engine: { host: 'unix:///x.sock', connectTimeoutMs: 2000 },
      image: 'debian:12',
      pull: 'never',
      transport: 'exec',
      workspace: { mode: 'bind', path: '/other', access: 'read-write' },
      readOnlyPaths: ['/tools', '/caller/data'],
      network: 'build',
      limits: {
        memoryBytes: 536_870_912,
        cpus: 0.5,
        pidsLimit: 64,
        tmpBytes: 1_048_576,
        homeBytes: 2_097_152,
        shmBytes: 3_145_728,
        openFiles: 100,
        spillQuotaBytes: 2_097_152,
        maxCommands: 256,
      },
      user: { uid: 1, gid: 2 },
      inherit: ['LANG', 'TZ'],
      // What one command has no use for: idle time, sessions to spare.
      idleMs: 900_000,
      spareSessions: 0,
      runtime: 'runsc',
    })
  })

  it('takes a relative workspace from the current folder, and runs in it', () => {
    expect(configOf('--workspace', '../sibling')).toMatchObject({
      cwd: '/caller/sibling',
      workspace: { path: '/caller/sibling' },
    })
  })

  it('runs in the home directory when there is no workspace', () => {
    expect(configOf('--workspace=none')).toMatchObject({ cwd: '/home/sandbox', workspace: { mode: 'none' } })
  })

  it.each([
    [['--engine=x', '--context=y'], 'USAGE', '--engine or --context'],
    [['--workspace=none', '--write'], 'USAGE', '--write'],
    [['--transport=teleport'], 'USAGE', '--transport takes supervisor or exec'],
    [['--memory=1'], 'CONFIG_INVALID', 'limits.memoryBytes'],
    [['--pids=1'], 'CONFIG_INVALID', 'limits.pidsLimit'],
    [['--cpus=0'], 'CONFIG_INVALID', 'limits.cpus'],
    [['--image='], 'CONFIG_INVALID', 'image'],
    [['--network='], 'CONFIG_INVALID', 'network'],
    [['--grace=60d'], 'CONFIG_INVALID', 'graceMs'],
    [['--timeout=0'], 'TIMEOUT_INVALID', '--timeout'],
  ])('refuses %j with %s', (args, code, named) => {
    expect(() => configOf(...args)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(named) }))
  })
})
