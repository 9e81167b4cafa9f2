import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { WriteGuard } from '../../src/index.ts'
import { bash, fileWorlds, text, useFileWorld } from './file-world.ts'

const chunkBytes = 128 * 1024

async function* inChunks(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield await Promise.resolve(content.subarray(at, at + size))
}

/** How often each code came, and `ok`. */
async function outcomes(attempts: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const attempt of attempts) {
    const outcome = await attempt.then(
      () => 'ok',
      (error: { code: string }) => error.code,
    )
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

describe.each(fileWorlds)('writing files %s', (_, open) => {
  const at = useFileWorld(open)

  it.each([0, 1, chunkBytes, chunkBytes + 1, 20 * 1024 ** 2 + 3])('writes all %i bytes', async (size) => {
    const content = randomBytes(size)
    const path = `${at.folder}/file`
    const { isNew, info } = await at.files.write(path, content)
    expect(isNew).toBe(true)
    expect(info).toEqual(await at.files.stat(path))
    expect(readFileSync(path).equals(content)).toBe(true)
    expect(statSync(path)).toMatchObject({ uid: 4242, gid: 4242, mode: 0o100644, nlink: 1 })
  })

  it('writes what comes in chunks of any size', async () => {
    const content = randomBytes(1_000_003)
    for (const size of [777, 65_536, 999_999, 2_000_000]) {
      const { isNew } = await at.files.write(`${at.folder}/file`, inChunks(content, size))
      expect(isNew).toBe(size === 777)
      expect(readFileSync(`${at.folder}/file`).equals(content)).toBe(true)
    }
  })

  it('replaces in one step: the old file stays what it was for who has it open', async () => {
    const path = `${at.folder}/file`
    await bash(at.world, at.folder, 'echo old > file; ln file other')
    const { isNew } = await at.files.write(path, text('new'))
    expect(isNew).toBe(false)
    expect(await bash(at.world, at.folder, 'cat file other; ls -A | wc -l')).toBe('newold\n2\n')
  })

  it('keeps the permission bits of the old file and takes those that are asked for of a new one', async () => {
    const mode = async (name: string) => (await at.files.stat(`${at.folder}/${name}`))?.mode
    await bash(at.world, at.folder, ': > script; chmod 4751 script')
    await at.files.write(`${at.folder}/script`, text('#!'), { newFileMode: 0o600 })
    await at.files.write(`${at.folder}/private`, text('x'), { newFileMode: 0o600 })
    // Without what the kernel takes away from a file that its user writes to.
    expect([await mode('script'), await mode('private')]).toEqual([0o751, 0o600])
  })

  it('makes missing parents only when asked', async () => {
    const path = `${at.folder}/a/b/file`
    await expect(at.files.write(path, text('x'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await at.files.write(path, text('x'), { createParents: true })
    await at.files.write(path, text('y'), { createParents: true })
    expect(await bash(at.world, at.folder, 'cat a/b/file; stat -c %a a/b')).toBe('y755\n')
    await expect(at.files.write(`${path}/below/file`, text('x'), { createParents: true })).rejects.toMatchObject({
      code: 'FILE_NOT_DIRECTORY',
    })
  })

  it.each(['link', 'directory', 'pipe', 'dangling', 'directory/'])('refuses to write where a %s is', async (name) => {
    await bash(
      at.world,
      at.folder,
      'echo old > file; ln -s file link; mkdir directory; mkfifo pipe; ln -s none dangling',
    )
    const before = await bash(at.world, at.folder, 'ls -lAi; cat file')
    await expect(at.files.write(`${at.folder}/${name}`, text('new'))).rejects.toMatchObject({
      code: 'FILE_NOT_REGULAR',
    })
    expect(await bash(at.world, at.folder, 'ls -lAi; cat file')).toBe(before)
  })

  it('writes through a link that was resolved, and leaves the link', async () => {
    await bash(at.world, at.folder, 'mkdir real; echo old > real/file; ln -s real/file link')
    const { path } = await at.files.resolve(`${at.folder}/link`)
    await at.files.write(path, text('new'))
    expect(await bash(at.world, at.folder, 'cat link; readlink link')).toBe('newreal/file\n')
  })

  it('refuses what a command of its user may not write', async () => {
    await bash(at.world, at.folder, 'echo old > file; chmod 444 file; mkdir closed; chmod 555 closed')
    const denied = { code: 'FILE_PERMISSION_DENIED', context: { errno: 'EACCES' } }
    await expect(at.files.write(`${at.folder}/file`, text('x'))).rejects.toMatchObject(denied)
    await expect(at.files.write(`${at.folder}/closed/new`, text('x'))).rejects.toMatchObject(denied)
    await expect(at.files.write('/etc/hostname', text('x'))).rejects.toMatchObject({ code: 'FILE_PERMISSION_DENIED' })
    expect(await bash(at.world, at.folder, 'cat file; ls -A closed')).toBe('old\n')
  })

  it('creates by its guard only where nothing is', async () => {
    const path = `${at.folder}/file`
    const guard: WriteGuard = { kind: 'create' }
    expect(await at.files.write(path, text('one'), { guard })).toMatchObject({ isNew: true })
    await expect(at.files.write(path, text('two'), { guard })).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await bash(at.world, at.folder, 'ln -s none dangling')
    await expect(at.files.write(`${at.folder}/dangling`, text('x'), { guard })).rejects.toMatchObject({
      code: 'FILE_NOT_REGULAR',
    })
    expect(readFileSync(path, 'utf8')).toBe('one')
  })

  it('replaces by its guard only the version that was read', async () => {
    const path = `${at.folder}/file`
    const written = await at.files.write(path, text('one'))
    const replace = (version: string): WriteGuard => ({
      kind: 'replace',
      version: version as typeof written.info.version,
    })
    const stale = { code: 'FILE_STALE', context: { path } }
    const second = await at.files.write(path, text('two'), { guard: replace(written.info.version) })
    await expect(at.files.write(path, text('x'), { guard: replace(written.info.version) })).rejects.toMatchObject(stale)
    await expect(at.files.write(path, text('x'), { guard: replace('nonsense') })).rejects.toMatchObject(stale)
    await expect(at.files.write(path, text('x'), { guard: replace(`${2n ** 64n}:0:0:0:0`) })).rejects.toMatchObject(
      stale,
    )
    await bash(at.world, at.folder, 'echo three >> file')
    await expect(at.files.write(path, text('x'), { guard: replace(second.info.version) })).rejects.toMatchObject(stale)
    await bash(at.world, at.folder, 'rm file')
    await expect(at.files.write(path, text('x'), { guard: replace(second.info.version) })).rejects.toMatchObject(stale)
    expect(await at.files.list(at.folder, 0)).toEqual([])
  })

  it('lets exactly one of many writers of the same version win', async () => {
    const path = `${at.folder}/file`
    const { info } = await at.files.write(path, text('old'))
    const guard: WriteGuard = { kind: 'replace', version: info.version }
    const attempts = Array.from({ length: 40 }, (_value, index) => at.files.write(path, text(`${index}`), { guard }))
    expect(await outcomes(attempts)).toEqual({ ok: 1, FILE_STALE: 39 })
    const create: WriteGuard = { kind: 'create' }
    const creations = Array.from({ length: 40 }, (_value, index) =>
      at.files.write(`${at.folder}/new`, inChunks(text(`${index}`), 1), { guard: create }),
    )
    expect(await outcomes(creations)).toEqual({ ok: 1, FILE_EXISTS: 39 })
  })

  it('leaves nothing, and the old file, when it is aborted', async () => {
    const path = `${at.folder}/file`
    await at.files.write(path, text('old'))
    const abortion = new AbortController()
    async function* endless() {
      yield text('new')
      abortion.abort()
      await new Promise(() => undefined)
    }
    const write = at.files.write(path, endless(), { signal: abortion.signal })
    await expect(write).rejects.toMatchObject({ code: 'FILE_ABORTED' })
    const already = at.files.write(path, text('new'), { signal: AbortSignal.abort() })
    await expect(already).rejects.toMatchObject({ code: 'FILE_ABORTED' })
    expect(await bash(at.world, at.folder, 'cat file; ls -A')).toBe('oldfile\n')
  })

  it('leaves nothing, and the old file, when its content fails', async () => {
    const path = `${at.folder}/file`
    await at.files.write(path, text('old'))
    async function* broken() {
      yield text('new')
      await Promise.reject(new Error('no more'))
    }
    await expect(at.files.write(path, broken())).rejects.toThrow('no more')
    expect(await bash(at.world, at.folder, 'cat file; ls -A')).toBe('oldfile\n')
  })

  it('is aborted before its last step has been asked for, or not at all', async () => {
    const path = `${at.folder}/file`
    for (let i = 0; i < 50; i++) {
      const abortion = new AbortController()
      const write = at.files.write(path, text(`${i}`), { signal: abortion.signal })
      for (let turn = 0; turn < i % 10; turn++) await Promise.resolve()
      abortion.abort()
      const isWritten = await write.then(
        () => true,
        () => false,
      )
      const content = (await at.files.stat(path)) === undefined ? '' : readFileSync(path, 'utf8')
      expect(content === `${i}`).toBe(isWritten)
    }
  })
})
