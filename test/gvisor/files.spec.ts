import { randomUUID } from 'node:crypto'
import { connectEngine, DEFAULT_IMAGE, ensureImage, openContainerFiles, startSupervised } from 'dsh-container'
import { expect, it } from 'vitest'

const mebibyte = 1024 ** 2

/** gVisor's own threads count, several for each process. */
const session = {
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
  pidsLimit: 8192,
  network: 'none',
  runtime: 'runsc',
  ulimits: [],
  hostname: 'sandbox',
  readOnlyRoot: true,
}

it('serves files on gVisor', async () => {
  const engine = await connectEngine()
  await ensureImage(engine, { reference: DEFAULT_IMAGE, pull: 'missing' })
  const terms = { spillQuotaBytes: mebibyte, maxCommands: 8, watchedPaths: [] }
  const started = await startSupervised(engine, session, terms)
  try {
    await using files = openContainerFiles(started, { uid: 1000, gid: 1000 })
    const path = '/tmp/folder/file'
    const { info } = await files.write(path, Buffer.from('one'), { createParents: true, guard: { kind: 'create' } })
    await expect(files.write(path, Buffer.from('x'), { guard: { kind: 'create' } })).rejects.toMatchObject({
      code: 'FILE_EXISTS',
    })
    const guard = { kind: 'replace', version: info.version } as const
    expect(await files.write(path, Buffer.alloc(mebibyte, 7), { guard })).toMatchObject({ isNew: false })
    await expect(files.write(path, Buffer.from('x'), { guard })).rejects.toMatchObject({ code: 'FILE_STALE' })
    const { bytes } = await files.read(path, 2 * mebibyte)
    expect(Buffer.from(bytes).equals(Buffer.alloc(mebibyte, 7))).toBe(true)
    expect((await files.list('/tmp/folder', 10)).map(({ name }) => name)).toEqual(['file'])
    expect(await files.resolve('/tmp/folder/../folder/none')).toEqual({ path: '/tmp/folder/none', info: undefined })
    expect(Buffer.from((await files.read('/etc/hostname', 100)).bytes).toString()).toBe('sandbox\n')
    await expect(files.read('/dev/zero', 1)).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' })
  } finally {
    await started.container.end()
  }
})
