import { openContainerFiles } from 'dsh-container'
import { expect, it } from 'vitest'
import { startGvisorSession } from './gvisor-session.ts'

const mebibyte = 1024 ** 2

it('serves files on gVisor', async () => {
  const started = await startGvisorSession()
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
