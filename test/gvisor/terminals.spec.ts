import { randomUUID } from 'node:crypto'
import { connectEngine, DEFAULT_IMAGE, ensureImage, startSupervised } from 'dsh-container'
import { expect, it } from 'vitest'

const mebibyte = 1024 ** 2

/** What a session is like that may have terminals. */
const session = {
  image: DEFAULT_IMAGE,
  sessionId: randomUUID(),
  labels: {},
  env: {},
  workdir: '/',
  mounts: [],
  tmpfs: [],
  shmBytes: mebibyte,
  memoryBytes: 256 * mebibyte,
  cpus: 1,
  pidsLimit: 64,
  network: 'none',
  runtime: 'runsc',
  ulimits: [],
  hostname: 'sandbox',
  readOnlyRoot: true,
}

const terminal = {
  argv: ['bash', '--norc', '-i'],
  workdir: '/',
  env: { PATH: '/usr/bin:/bin' },
  uid: 1000,
  gid: 1000,
  umask: 0o022,
  resourceLimits: [],
  size: { rows: 24, columns: 80 },
}

it('has whole terminals on gVisor, or says that it has none and opens none', async () => {
  const engine = await connectEngine()
  await ensureImage(engine, { reference: DEFAULT_IMAGE, pull: 'missing' })
  const terms = { spillQuotaBytes: mebibyte, maxCommands: 4, watchedPaths: [] }
  const { container, supervisor } = await startSupervised(engine, session, terms)
  try {
    const { terminalErrno } = await supervisor.hello
    const opening = supervisor.openTerminal(terminal)
    if (terminalErrno === 0) {
      const opened = await opening
      expect(await opened.inspectForeground()).toMatchObject({ processGroupId: opened.pid })
    } else {
      await expect(opening).rejects.toMatchObject({ code: 'SPAWN_FAILED', context: { stage: 'terminal' } })
    }
    await supervisor.ping()
  } finally {
    await container.end()
  }
})
