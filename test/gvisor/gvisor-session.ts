import { randomUUID } from 'node:crypto'
import { connectEngine, DEFAULT_IMAGE, ensureImage, type SupervisedContainer, startSupervised } from 'dsh-container'

const mebibyte = 1024 ** 2

/** A session on gVisor, to be ended by its container. */
export async function startGvisorSession(): Promise<SupervisedContainer> {
  const engine = await connectEngine()
  await ensureImage(engine, { reference: DEFAULT_IMAGE, pull: 'missing' })
  const spec = {
    image: DEFAULT_IMAGE,
    sessionId: randomUUID(),
    labels: {},
    env: {},
    workdir: '/',
    mounts: [],
    tmpfs: [{ path: '/tmp', sizeBytes: 16 * mebibyte, mode: 0o1777, uid: 0, gid: 0 }],
    shmBytes: mebibyte,
    memoryBytes: 1024 * mebibyte,
    cpus: 1,
    // gVisor's own threads count, several for each process.
    pidsLimit: 8192,
    network: 'none',
    runtime: 'runsc',
    ulimits: [],
    hostname: 'sandbox',
    readOnlyRoot: true,
  }
  return startSupervised(engine, spec, { spillQuotaBytes: mebibyte, maxCommands: 8, watchedPaths: [] })
}
