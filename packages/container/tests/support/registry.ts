import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Docker from 'dockerode'
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'
import type { Engine } from '../../src/engine/engine.ts'

const image = 'bash-docker-test/registry:debian'
const port = 5000

/** Who may use the registry that wants a login; the hash is bcrypt, as the registry demands. */
export const login = { username: 'tester', password: 'let-me-in' }
const htpasswd = `${login.username}:$2b$04$Gnm36VIhrJSZwbNk7RW64.zFH5pMdU6dE5.Wb0xKKJSCu81fJWka6\n`

/** Debian's docker-registry in a container, on a port of this host; no other registry is asked for anything. */
export async function startRegistry(engine: Engine, wantsLogin: boolean): Promise<Registry> {
  const socketPath = engine.endpoint.socketPath
  if (socketPath === undefined) throw new Error('the tests want an engine on a unix socket')
  // testcontainers' reaper is an image of its own, which cannot be pulled here; the test ends what it starts.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true'
  process.env['DOCKER_HOST'] = `unix://${socketPath}`
  const docker = new Docker({ socketPath })
  await ensureRegistryImage(docker)
  const started = await new GenericContainer(image)
    .withEntrypoint(['/usr/bin/docker-registry'])
    .withCommand(['serve', '/etc/registry.yml'])
    .withCopyContentToContainer([
      { content: configuration(wantsLogin), target: '/etc/registry.yml' },
      { content: htpasswd, target: '/etc/registry.htpasswd' },
    ])
    .withExposedPorts(port)
    // Asked from outside: the image has nothing but the registry.
    .withWaitStrategy(Wait.forHttp('/v2/', port).forStatusCodeMatching((status) => status === (wantsLogin ? 401 : 200)))
    .start()
  return new Registry(docker, started)
}

export class Registry implements AsyncDisposable {
  /** As the registry part of an image reference. */
  readonly address: string
  private readonly docker: Docker
  private readonly container: StartedTestContainer

  constructor(docker: Docker, container: StartedTestContainer) {
    this.docker = docker
    this.container = container
    this.address = `127.0.0.1:${container.getMappedPort(port)}`
  }

  /** Puts an image that is on the engine into the registry, and takes the name of it off the engine. */
  async publish(source: string, repository: string, tag: string): Promise<string> {
    const name = `${this.address}/${repository}`
    await this.docker.getImage(source).tag({ repo: name, tag })
    const pushed = this.docker.getImage(`${name}:${tag}`)
    const stream = await pushed.push({ tag, authconfig: { ...login, serveraddress: this.address } })
    await new Promise<void>((resolve, reject) => {
      this.docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()))
    })
    await pushed.remove()
    return `${name}:${tag}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.container.stop({ removeVolumes: true })
  }
}

/** Built once for an engine, from Debian packages. */
async function ensureRegistryImage(docker: Docker): Promise<void> {
  const present = await docker
    .getImage(image)
    .inspect()
    .catch(() => undefined)
  if (present !== undefined) return
  const directory = await mkdtemp(join(tmpdir(), 'registry-image-'))
  try {
    const tar = join(directory, 'rootfs.tar')
    const packages = '--include=docker-registry,libc6'
    await promisify(execFile)('mmdebstrap', ['--variant=extract', packages, 'bookworm', tar])
    const [repo, tag] = image.split(':') as [string, string]
    const stream = await docker.importImage(createReadStream(tar), { repo, tag })
    await new Promise<void>((resolve, reject) => {
      docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()))
    })
  } finally {
    await rm(directory, { recursive: true })
  }
}

function configuration(wantsLogin: boolean): string {
  const auth = wantsLogin ? { auth: { htpasswd: { realm: 'test', path: '/etc/registry.htpasswd' } } } : {}
  // JSON is YAML too.
  return JSON.stringify({
    version: 0.1,
    storage: { filesystem: { rootdirectory: '/var/lib/docker-registry' } },
    http: { addr: `:${port}` },
    ...auth,
  })
}
