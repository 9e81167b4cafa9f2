import { PassThrough } from 'node:stream'
import type { Duplex } from 'node:stream'
import type Docker from 'dockerode'
import { DEFAULT_IMAGE } from '../../src/image/default-image.ts'
import { Demultiplexer } from '../../src/stream/demultiplexer.ts'
import { SupervisorConnection } from '../../src/supervisor/supervisor-connection.ts'
import { type CommandHost, until } from './supervisor-process.ts'

export const containerLimits = { memoryBytes: 128 * 1024 * 1024, pids: 100 } as const

/** A supervisor as process 1 of a container that is hardened as a session's is. */
export class ContainerSupervisor implements CommandHost, AsyncDisposable {
  readonly connection: SupervisorConnection
  readonly container: Docker.Container
  private readonly stream: Duplex

  private constructor(container: Docker.Container, stream: Duplex) {
    this.container = container
    this.stream = stream
    const frames = new PassThrough()
    const demultiplexer = new Demultiplexer({
      stdout: (chunk) => frames.write(Buffer.from(chunk)),
      stderr: (chunk) => process.stderr.write(chunk),
    })
    stream.on('data', (chunk: Buffer) => demultiplexer.write(chunk))
    stream.on('end', () => frames.end())
    stream.on('error', (error) => frames.destroy(error))
    this.connection = new SupervisorConnection(frames, stream)
  }

  static async start(docker: Docker, binary: string): Promise<ContainerSupervisor> {
    const container = await docker.createContainer({
      Image: DEFAULT_IMAGE,
      Entrypoint: ['/supervisor', '--spill-directory', '/run/spill', '--spill-quota-bytes', `${32 * 1024 * 1024}`],
      Labels: { 'bash-docker.managed': 'true' },
      OpenStdin: true,
      StdinOnce: true,
      User: '0:0',
      HostConfig: {
        AutoRemove: true,
        Binds: [`${binary}:/supervisor:ro`],
        CapDrop: ['ALL'],
        CapAdd: ['SETUID', 'SETGID', 'KILL'],
        LogConfig: { Type: 'none', Config: {} },
        Memory: containerLimits.memoryBytes,
        MemorySwap: containerLimits.memoryBytes,
        NetworkMode: 'none',
        PidsLimit: containerLimits.pids,
        ReadonlyRootfs: true,
        SecurityOpt: ['no-new-privileges'],
        Tmpfs: { '/run/spill': 'size=64m,mode=0711,uid=65529', '/tmp': 'size=16m,mode=1777' },
      },
    })
    const stream = await container.attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true })
    await container.start()
    return new ContainerSupervisor(container, stream as Duplex)
  }

  async exists(): Promise<boolean> {
    return this.container.inspect().then(
      () => true,
      () => false,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connection.close()
    this.stream.destroy()
    await until(async () => !(await this.exists()))
  }
}
