// Builds the supervisor for one processor on the engine that the environment names: TARGET PATH. Run by the toolchain's Node.
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { connectEngine, Demultiplexer, labelNames } from 'dsh-container'
import { pack } from 'tar-stream'
import { supervisorDir } from '../lib/supervisor.mjs'

const [target, path = ''] = process.argv.slice(2)
const labels = { [labelNames.managed]: 'true' }
/** Always the same, so that no more than one image of it stays. */
const reference = 'bash-docker/supervisor-build:latest'

const { port } = await connectEngine()
await build()
await writeFile(path, await readProgram(), { mode: 0o755 })

async function build() {
  const progress = await port.buildImage(Readable.from(await context()), { reference, labels })
  const lines = []
  for await (const line of createInterface({ input: progress })) {
    const { stream = '', error } = JSON.parse(line)
    lines.push(stream)
    if (error !== undefined) throw new Error(`${error}\n${lines.join('')}`)
  }
}

async function context() {
  const tar = pack()
  tar.entry({ name: 'Dockerfile' }, await readFile(join(supervisorDir, 'Dockerfile')))
  tar.entry({ name: 'build.sh', mode: 0o755 }, await readFile(join(supervisorDir, 'build.sh')))
  for (const name of await readdir(join(supervisorDir, 'src'))) {
    tar.entry({ name: `src/${name}` }, await readFile(join(supervisorDir, 'src', name)))
  }
  tar.finalize()
  return tar
}

/** The output of a container that prints it. */
async function readProgram() {
  const id = await port.createContainer(`bash-docker-supervisor-build-${randomUUID()}`, {
    Image: reference,
    Entrypoint: ['cat', `/supervisor-${target}`],
    Cmd: [],
    User: '65534:65534',
    Env: [],
    WorkingDir: '/',
    Labels: labels,
    NetworkDisabled: true,
    HostConfig: { NetworkMode: 'none', Mounts: [] },
  })
  try {
    /** @type {Buffer[]} */
    const chunks = []
    const demultiplexer = new Demultiplexer({
      stdout: (chunk) => void chunks.push(Buffer.from(chunk)),
      stderr: (chunk) => void process.stderr.write(chunk),
    })
    const socket = await port.attachContainer(id)
    socket.on('data', (chunk) => demultiplexer.write(chunk))
    const ended = once(socket, 'end')
    await port.startContainer(id)
    await ended
    if (chunks.length === 0) throw new Error(`the engine does not build for ${target}`)
    return Buffer.concat(chunks)
  } finally {
    await port.removeContainer(id)
  }
}
