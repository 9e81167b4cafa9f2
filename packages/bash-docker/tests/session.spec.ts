import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Docker from 'dockerode'
import { OwnerToken } from 'dsh-bash'
import { connectEngine } from 'dsh-container'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDockerBash, type DockerBashConfig, type DockerBashExecutor } from '../src/index.ts'

let docker: Docker
let workspace: string

beforeAll(async () => {
  const { endpoint } = await connectEngine()
  docker = new Docker({ socketPath: endpoint.socketPath })
  workspace = await mkdtemp(join(tmpdir(), 'session-spec-'))
  await chown(workspace, 1234, 2345)
  await chmod(workspace, 0o755) // a trusted user has to enter it too
})

afterAll(() => rm(workspace, { recursive: true }))

/** A folder of its own that anybody may read. */
async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'session-spec-elsewhere-'))
  await chmod(path, 0o755)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

function create(config: DockerBashConfig = {}): Promise<DockerBashExecutor> {
  return createDockerBash({ workspace: { mode: 'bind', path: workspace }, graceMs: 500, ...config })
}

async function text(bash: DockerBashExecutor, command: string, owner?: string): Promise<string> {
  const spec = bash.resolve({ command, ...(owner === undefined ? {} : { owner: OwnerToken(owner) }) })
  const { stdout, stderr } = await bash.run(spec)
  return stdout.text + stderr.text
}

async function sessionOf(bash: DockerBashExecutor): Promise<string> {
  return (await bash.run(bash.resolve({ command: 'true' }))).sandbox?.sessionId ?? expect.unreachable()
}

function containersOf(sessionId: string): Promise<Docker.ContainerInfo[]> {
  return docker.listContainers({ all: true, filters: { label: [`bash-docker.session=${sessionId}`] } })
}

async function expectGone(sessionId: string): Promise<void> {
  await expect.poll(() => containersOf(sessionId)).toEqual([])
}

describe('a session of bash-docker', () => {
  it.each([
    // To run commands as another user and to signal them; the supervisor drops the last of them at once.
    ['supervisor', ['SETUID', 'SETGID', 'SETPCAP', 'KILL', 'CHOWN']],
    ['exec', []],
  ] as const)('by %s is hardened by default, as the engine itself says', async (transport, capabilities) => {
    await using bash = await create({ transport })
    const [info] = await containersOf(await sessionOf(bash))
    const { HostConfig: host, Config: config } = await docker.getContainer(info?.Id ?? '').inspect()
    expect(host).toMatchObject({
      NetworkMode: 'none',
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      Privileged: false,
      IpcMode: 'private',
      AutoRemove: true,
      LogConfig: { Type: 'none' },
      Memory: 2_147_483_648,
      MemorySwap: 2_147_483_648,
      NanoCpus: 2_000_000_000,
      PidsLimit: 1024,
      Devices: null,
    })
    expect(host.CapAdd ?? []).toEqual(capabilities)
    expect(config.Labels).toMatchObject({
      'bash-docker.managed': 'true',
      'bash-docker.owner-pid': String(process.pid),
      'bash-docker.owner-start': expect.stringMatching(/^\d+$/),
    })
    expect(JSON.stringify(host)).not.toContain('docker.sock')
  })

  it('runs as the owner of the workspace, without a privilege, with a home of its own', async () => {
    await using bash = await create()
    const status = await text(bash, 'id -u; id -g; echo $USER $HOME; touch ~/x && echo home; cat /proc/self/status')
    expect(status).toMatch(/^1234\n2345\nsandbox \/home\/sandbox\nhome\n/)
    expect(status).toMatch(/CapEff:\t0{16}/)
    expect(status).toMatch(/CapBnd:\t0{16}/)
    expect(status).toMatch(/NoNewPrivs:\t1/)
    expect(status).toMatch(/Seccomp:\t2/)
  })

  it('sees the workspace at the same path, and changes it only where that is configured', async () => {
    await writeFile(join(workspace, 'file'), 'of the host')
    await using readOnly = await create()
    expect(await text(readOnly, 'cat file; touch new')).toMatch(/^of the host.*Read-only file system/s)
    await using readWrite = await create({ workspace: { mode: 'bind', path: workspace, access: 'read-write' } })
    expect(await text(readWrite, `echo inside > ${workspace}/new; stat -c %u:%g new`)).toBe('1234:2345\n')
  })

  it('sees no folder of the host without a workspace', async () => {
    await using bash = await create({ workspace: { mode: 'none' } })
    expect(await text(bash, `pwd; ls ${workspace} 2>&1 | grep -c 'No such file'`)).toBe('/home/sandbox\n1\n')
  })

  it.each(['/', '/etc', '/proc', '/var/run'])('is refused %s as its workspace', async (path) => {
    await using bash = await create({ workspace: { mode: 'bind', path, access: 'read-only' } })
    const refused = bash.run(bash.resolve({ command: 'true' }))
    await expect(refused).rejects.toMatchObject({ code: 'WORKSPACE_REFUSED' })
  })

  it('reaches no network', async () => {
    await using bash = await create()
    expect(await text(bash, 'ls /sys/class/net; (exec 3<>/dev/tcp/192.0.2.1/80) 2>&1')).toMatch(
      /^lo\n.*Network is unreachable/s,
    )
  })

  it('keeps a trusted secret out of the metadata of the engine', async () => {
    await using bash = await create()
    const secret = 'metadata-spec-secret'
    const spec = bash.resolve({ command: 'echo $MY_TOKEN; cat', env: { MY_TOKEN: secret }, stdin: secret })
    const { stdout, sandbox } = await bash.run(spec)
    expect(stdout.text).toBe(`${secret}\n${secret}`)
    const [info] = await containersOf(sandbox?.sessionId ?? '')
    expect(JSON.stringify(await docker.getContainer(info?.Id ?? '').inspect())).not.toContain(secret)
  })

  it('that is only just starting leaves nothing when the executor is disposed', async () => {
    const listAll = (): Promise<Docker.ContainerInfo[]> =>
      docker.listContainers({ all: true, filters: { label: [`bash-docker.owner-pid=${process.pid}`] } })
    for (let waitMs = 0; waitMs < 200; waitMs += 20) {
      const bash = await create({ spareSessions: 2 })
      await new Promise((resolve) => setTimeout(resolve, waitMs)) // where in the start it is
      await bash[Symbol.asyncDispose]()
      expect(await listAll()).toEqual([])
    }
  })

  it('waits for its owner as a spare, and another takes its place', async () => {
    await using bash = await create({ spareSessions: 1 })
    const spares = async (): Promise<string[]> =>
      (await docker.listContainers({ filters: { label: ['bash-docker.session-key=spare'] } }))
        .map(({ Labels }) => Labels['bash-docker.session'] ?? '')
        .toSorted()
    await expect.poll(spares).toHaveLength(1)
    const [spare] = await spares()
    expect(await sessionOf(bash)).toBe(spare)
    await expect.poll(spares).toHaveLength(2)
  })

  it.each(['supervisor', 'exec'] as const)(
    'by %s sees further paths of the host, read-only, over the workspace',
    async (transport) => {
      await using elsewhere = await temporaryFolder()
      await writeFile(join(elsewhere.path, 'tool.sh'), 'echo tool\n')
      await mkdir(join(workspace, 'guarded'), { recursive: true })
      await writeFile(join(workspace, 'guarded/file'), 'as it was\n')
      await using bash = await create({
        transport,
        workspace: { mode: 'bind', path: workspace, access: 'read-write' },
        readOnlyPaths: [elsewhere.path, join(workspace, 'guarded')],
      })
      expect(await text(bash, `bash ${elsewhere.path}/tool.sh; cat guarded/file`)).toBe('tool\nas it was\n')
      const changed = await text(
        bash,
        `echo x > ${elsewhere.path}/tool.sh; echo x > guarded/file; mv guarded away; touch free`,
      )
      expect(changed.match(/Read-only file system|busy/g)).toHaveLength(3)
      expect(await text(bash, 'ls free guarded/file')).toBe('free\nguarded/file\n')
    },
  )

  it('is refused a further path that is not there, or is of the system', async () => {
    for (const path of ['/no/such/folder', '/etc']) {
      await using bash = await create({ readOnlyPaths: [path] })
      await expect(bash.run(bash.resolve({ command: 'true' }))).rejects.toMatchObject({ code: 'WORKSPACE_REFUSED' })
    }
  })

  it('keeps what a trusted caller passes from the other commands, under a user of its own', async () => {
    await using bash = await create({ trustedUser: { uid: 3456, gid: 3456 } })
    const secret = 'trusted-user-secret'
    const trusted = bash.start(
      bash.resolve({ command: 'id -u; exec sleep 60.5', env: { HOOK_TOKEN: secret }, stdin: secret }),
    )
    await expect.poll(() => bash.readOutput(trusted.id).delta).toBe('3456\n')
    const look = 'id -u; cat /proc/[0-9]*/environ /proc/[0-9]*/fd/0 > /tmp/seen 2>&1; tr "\\0" "\\n" < /tmp/seen'
    const seen = await text(bash, look)
    expect(seen).toMatch(/^1234\n/)
    expect(seen).toContain('Permission denied')
    expect(seen).not.toContain(secret)
    bash.kill(trusted.id)
    await trusted.done
  })

  it('ends when nothing ran in it for the idle time, and not while something runs', async () => {
    await using bash = await create({ idleMs: 300 })
    const task = bash.start(bash.resolve({ command: 'sleep 1.5; echo still here' }))
    const sessionId = await sessionOf(bash)
    await task.done
    expect(bash.readOutput(task.id).delta).toBe('still here\n')
    await expectGone(sessionId)
    expect(await sessionOf(bash)).not.toBe(sessionId)
  })

  it('survives a command that fills its processes, which dies with its timeout', async () => {
    await using bash = await create({ limits: { pidsLimit: 64 } })
    const sessionId = await sessionOf(bash)
    const bomb = await bash.run(bash.resolve({ command: 'bomb() { bomb | bomb & }; bomb; sleep 60', timeoutMs: 1000 }))
    expect(bomb.timedOut).toBe(true)
    await expect.poll(() => text(bash, 'echo answers')).toBe('answers\n')
    await bash[Symbol.asyncDispose]()
    await expectGone(sessionId)
  })

  it('is gone after the harness was killed', async () => {
    const harness = fork(fileURLToPath(new URL('support/harness.ts', import.meta.url)), [workspace], {
      execArgv: ['--conditions=bash-docker-source'],
    })
    const [sessionId] = (await once(harness, 'message')) as [string]
    expect(await containersOf(sessionId)).toHaveLength(1)
    harness.kill('SIGKILL')
    await once(harness, 'exit')
    await expectGone(sessionId)
  })

  it('is refused an image that is not there', async () => {
    await using bash = await create({ image: 'bash-docker-test/absent:0', pull: 'never' })
    const refused = bash.run(bash.resolve({ command: 'true' }))
    await expect(refused).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' })
  })
})
