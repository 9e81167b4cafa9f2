import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { thisOwner } from '../../src/container/owner.ts'
import { type ContainerSpec, labelNames, type SandboxContainer, startContainer } from '../../src/index.ts'
import { containerSpec } from '../support/container.ts'
import { type TestEngine, testEngine } from '../support/engine.ts'
import { run } from '../support/run.ts'

const mebibyte = 1024 ** 2
const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')))

let test: TestEngine
beforeAll(async () => {
  test = await testEngine()
})
afterAll(() => rmSync(workspace, { recursive: true }))

/** Ids of what a session has on the engine, asked past our code. */
async function left({ sessionId }: ContainerSpec): Promise<string[]> {
  const filters = { label: [`${labelNames.session}=${sessionId}`] }
  return (await test.docker.listContainers({ all: true, filters })).map(({ Id }) => Id)
}

describe('a started container', () => {
  let spec: ContainerSpec
  let container: SandboxContainer
  beforeAll(async () => {
    chmodSync(workspace, 0o755)
    writeFileSync(join(workspace, 'greeting'), 'hello')
    spec = containerSpec(test.image, {
      labels: { [labelNames.workspace]: workspace, [labelNames.session]: 'forged' },
      env: { PLAIN: 'a value' },
      mounts: [{ source: workspace, target: workspace, readOnly: true }],
      tmpfs: [{ path: '/tmp', sizeBytes: 2 * mebibyte, mode: 0o700, uid: 1000, gid: 1000 }],
      ulimits: [{ name: 'nofile', soft: 128, hard: 256 }],
      hostname: 'elsewhere',
    })
    container = await startContainer(test.engine, spec)
  })
  afterAll(() => container.end())

  it('is asked for with every limit and all of the hardening', async () => {
    const { HostConfig: host, Config: config } = await test.docker.getContainer(container.id).inspect()
    expect(host).toMatchObject({
      AutoRemove: true,
      Init: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      Privileged: false,
      NetworkMode: 'none',
      IpcMode: 'private',
      LogConfig: { Type: 'none' },
      Memory: spec.memoryBytes,
      MemorySwap: spec.memoryBytes,
      NanoCpus: 1e9,
      PidsLimit: spec.pidsLimit,
      ShmSize: spec.shmBytes,
    })
    for (const nothing of [host.CapAdd, host.Binds, host.Devices, host.PortBindings, host.DeviceRequests]) {
      expect(Object.keys(nothing ?? {})).toEqual([])
    }
    expect(config).toMatchObject({ OpenStdin: true, StdinOnce: true, Tty: false, Healthcheck: { Test: ['NONE'] } })
  })

  it('says whose it is, whatever the caller labels it', async () => {
    const { Config: config, Name: name } = await test.docker.getContainer(container.id).inspect()
    const owner = thisOwner()
    expect(config.Labels).toMatchObject({
      'bash-docker.managed': 'true',
      'bash-docker.session': spec.sessionId,
      'bash-docker.owner-pid': String(process.pid),
      'bash-docker.owner-start': owner.start,
      'bash-docker.owner-host': owner.host,
      'bash-docker.workspace': workspace,
    })
    expect(name).toBe(`/${container.name}`)
  })

  it.each([
    { uid: 1000, gid: 1000 },
    { uid: 0, gid: 0 },
  ])('gives a command of %o no privilege', async (user) => {
    const { stdout } = await run(container, 'grep -E "^(Cap|NoNewPrivs|Seccomp:|Uid|Gid)" /proc/self/status', user)
    const fields = Object.fromEntries(stdout.split('\n').map((line) => line.split(/:\s+/, 2)))
    const none = '0000000000000000'
    expect(fields).toMatchObject({ CapInh: none, CapPrm: none, CapEff: none, CapBnd: none, CapAmb: none })
    expect(fields).toMatchObject({ NoNewPrivs: '1', Seccomp: '2', Uid: expect.stringContaining(`${user.uid}\t`) })
  })

  it('has no network but itself', async () => {
    const { stdout } = await run(container, 'echo /sys/class/net/*; cat /proc/net/route | wc -l')
    expect(stdout).toBe('/sys/class/net/lo\n1\n')
  })

  it('can be written in its file systems in memory, up to their size, and nowhere else', async () => {
    const { stdout } = await run(
      container,
      `for place in / /etc /usr /var/tmp ${workspace}; do : >$place/new 2>/dev/null && echo wrote $place; done
       : >/tmp/new && echo wrote /tmp; cat ${workspace}/greeting; echo
       head -c ${3 * mebibyte} /dev/zero >/tmp/big 2>/dev/null; stat -c %s /tmp/big; rm /tmp/big`,
    )
    expect(stdout).toBe(`wrote /tmp\nhello\n${2 * mebibyte}\n`)
  })

  it('has its host name, its limits and its environment', async () => {
    const { stdout } = await run(container, 'echo $HOSTNAME $PLAIN; ulimit -Sn; ulimit -Hn')
    expect(stdout).toBe('elsewhere a value\n128\n256\n')
  })

  it('cannot be ended by a command, not even by one of root', async () => {
    for (const uid of [1000, 0]) await run(container, 'kill -9 -1; kill 1; kill -9 1; true', { uid, gid: uid })
    const { stdout } = await run(
      container,
      'for fd in /proc/[1-9]*/fd/0; do : <$fd && echo open; done 2>/dev/null; echo up',
      {
        uid: 0,
        gid: 0,
      },
    )
    // Its own descriptor, and none of the two processes that wait.
    expect(stdout).toBe('open\nup\n')
    expect(container.isEnded).toBe(false)
  })
})

describe('a container that cannot be started', () => {
  it.each([
    ['has no image', { image: 'bash-docker-test/nothing:1' }, 'IMAGE_NOT_FOUND'],
    ['wants a network that is not there', { network: 'bash-docker-no-such-network' }, 'SESSION_START_FAILED'],
    ['wants a runtime that is not there', { runtime: 'no-such-runtime' }, 'SESSION_START_FAILED'],
    ['wants less memory than any container', { memoryBytes: 1024 }, 'SESSION_START_FAILED'],
    ['wants a working directory that is none', { workdir: '/bin/bash' }, 'SESSION_START_FAILED'],
  ] as const)('because it %s says so and leaves nothing', async (_, changes, code) => {
    const spec = containerSpec(test.image, changes)
    await expect(startContainer(test.engine, spec)).rejects.toMatchObject({
      code,
      context: { engineMessage: expect.stringMatching(/\S/), image: spec.image },
    })
    expect(await left(spec)).toEqual([])
  })

  it('because its image has no bash says so and leaves nothing', async () => {
    const image = { repo: 'bash-docker-test/no-bash', tag: randomUUID() }
    const rootfs = pack()
    rootfs.entry({ name: 'bin/', type: 'directory' })
    rootfs.finalize()
    const progress = await test.docker.importImage(rootfs as unknown as NodeJS.ReadableStream, image)
    await finished(progress.resume())
    const reference = `${image.repo}:${image.tag}`
    try {
      const spec = containerSpec(reference)
      await expect(startContainer(test.engine, spec)).rejects.toMatchObject({ code: 'SHELL_NOT_FOUND' })
      await expect.poll(() => left(spec)).toEqual([])
    } finally {
      await test.docker.getImage(reference).remove()
    }
  })

  it.each(['createContainer', 'attachContainer', 'startContainer'] as const)(
    'because it is given up at %s leaves nothing',
    async (step) => {
      const controller = new AbortController()
      const reason = new Error('changed my mind')
      const { port } = test.engine
      const abortAt = (...args: unknown[]): unknown => {
        controller.abort(reason)
        return (port[step] as (...all: unknown[]) => unknown)(...args)
      }
      const engine = { ...test.engine, port: { ...port, [step]: abortAt } }
      const spec = containerSpec(test.image)
      await expect(startContainer(engine, spec, controller.signal)).rejects.toBe(reason)
      await expect.poll(() => left(spec)).toEqual([])
    },
  )
})
