import type { Duplex } from 'node:stream'
import Docker from 'dockerode'
import type { Subject } from './subject.ts'

/** Docker exec by dockerode alone, as its documentation shows it: the reference. */
export class BareExecSubject implements Subject {
  readonly name = 'docker-exec'
  private readonly docker: Docker
  private readonly session: Docker.ContainerInspectInfo
  private readonly container: Docker.Container

  private constructor(docker: Docker, session: Docker.ContainerInspectInfo, container: Docker.Container) {
    this.docker = docker
    this.session = session
    this.container = container
  }

  /** @param session what a container that is started by hand is a copy of */
  static async create(socketPath: string, image: string, session: Docker.ContainerInspectInfo): Promise<Subject> {
    const docker = new Docker({ socketPath })
    return new BareExecSubject(docker, session, await startContainer(docker, image))
  }

  run(command: string, stdin?: string): Promise<number> {
    return exec(this.docker, this.container, command, stdin)
  }

  stream(command: string): Promise<number> {
    return this.run(command)
  }

  /** Create, attach and start the container of a session, by hand; no command is run. */
  async startSession(): Promise<number> {
    const { Config, HostConfig } = this.session
    const startMs = performance.now()
    const container = await this.docker.createContainer({ ...Config, HostConfig })
    try {
      const stream = await container.attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true })
      stream.on('error', () => undefined)
      await container.start()
      return performance.now() - startMs
    } finally {
      await container.remove({ force: true, v: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.container.remove({ force: true })
  }
}

/** As hard as a session's own. */
async function startContainer(docker: Docker, image: string): Promise<Docker.Container> {
  const mebibyte = 1024 * 1024
  const container = await docker.createContainer({
    Image: image,
    Cmd: ['sleep', 'infinity'],
    Labels: { 'bash-docker.managed': 'true' },
    OpenStdin: true,
    StdinOnce: true,
    HostConfig: {
      NetworkMode: 'none',
      Init: true,
      IpcMode: 'private',
      LogConfig: { Type: 'none', Config: {} },
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      Memory: 2048 * mebibyte,
      MemorySwap: 2048 * mebibyte,
      NanoCpus: 2e9,
      PidsLimit: 1024,
      ShmSize: 64 * mebibyte,
      Tmpfs: { '/tmp': 'rw', '/var/tmp': 'rw', '/home/sandbox': 'rw' },
      Mounts: [{ Type: 'bind', Source: process.cwd(), Target: process.cwd(), ReadOnly: true }],
    },
  })
  await container.start()
  return container
}

async function exec(docker: Docker, container: Docker.Container, command: string, stdin?: string): Promise<number> {
  const created = await container.exec({
    Cmd: ['bash', '-c', command],
    AttachStdin: stdin !== undefined,
    AttachStdout: true,
    AttachStderr: true,
  })
  const stream: Duplex = await created.start({ hijack: true, stdin: stdin !== undefined })
  let printedBytes = 0
  const count = { write: (chunk: Buffer) => void (printedBytes += chunk.length), end: () => undefined }
  docker.modem.demuxStream(stream, count as never, count as never) // it only ever calls `write`
  const ended = new Promise((resolve, reject) => {
    stream.once('end', resolve)
    stream.once('error', reject)
  })
  if (stdin !== undefined) stream.end(stdin)
  await ended
  const { ExitCode } = await created.inspect()
  if (ExitCode !== 0) throw new Error(`${command}: exit code ${ExitCode}`)
  return printedBytes
}
