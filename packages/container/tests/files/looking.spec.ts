import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bash, fileWorlds, useFileWorld } from './file-world.ts'

describe.each(fileWorlds)('looking at files %s', (_, open) => {
  const at = useFileWorld(open)

  it('reports kind, size, mode and owner as the kernel has them', async () => {
    const script = 'printf 12345 > file; chmod 640 file; mkdir directory; mkfifo pipe; ln -s file link'
    await bash(at.world, at.folder, script)
    const { uid, gid } = { uid: 4242, gid: 4242 }
    expect(await at.files.stat(`${at.folder}/file`)).toMatchObject({
      kind: 'file',
      sizeBytes: 5,
      mode: 0o640,
      uid,
      gid,
    })
    expect(await at.files.stat(`${at.folder}/directory`)).toMatchObject({ kind: 'directory', mode: 0o755 })
    expect(await at.files.stat(`${at.folder}/pipe`)).toMatchObject({ kind: 'other' })
    expect(await at.files.stat(`${at.folder}/link`)).toMatchObject({ kind: 'file', sizeBytes: 5 })
    expect(await at.files.lstat(`${at.folder}/link`)).toMatchObject({ kind: 'symlink', sizeBytes: 4 })
    expect(await at.files.stat('/dev/null')).toMatchObject({ kind: 'other' })
  })

  it('finds nothing where nothing is, whatever is missing of the path', async () => {
    await bash(at.world, at.folder, ': > file; ln -s missing link')
    for (const name of ['missing', 'missing/below', 'file/below', 'link']) {
      expect(await at.files.stat(`${at.folder}/${name}`), name).toBeUndefined()
    }
    expect(await at.files.lstat(`${at.folder}/link`)).toMatchObject({ kind: 'symlink' })
  })

  it('gives a version that every change changes, and nothing else', async () => {
    const path = `${at.folder}/file`
    const version = async () => (await at.files.stat(path))?.version
    await bash(at.world, at.folder, 'echo one > file')
    const first = await version()
    expect(await version()).toBe(first)
    await bash(at.world, at.folder, 'cat file')
    expect(await version()).toBe(first)
    const seen = new Set([first])
    for (const change of ['echo more >> file', 'chmod 600 file', 'cp file other; mv other file', 'touch file']) {
      await bash(at.world, at.folder, change)
      seen.add(await version())
    }
    expect(seen.size).toBe(5)
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    expect(await version()).toBe([dev, ino, size, mtimeNs, ctimeNs].join(':'))
  })

  it('resolves links, dots and what is missing', async () => {
    await bash(
      at.world,
      at.folder,
      'mkdir -p a/b; : > a/b/file; ln -s a/b short; ln -s ../a/b/new a/dangling; ln -s /etc etc',
    )
    const resolve = async (name: string) => (await at.files.resolve(`${at.folder}/${name}`)).path
    expect(await resolve('short/file')).toBe(`${at.folder}/a/b/file`)
    expect(await resolve('./a//b/../b/./file')).toBe(`${at.folder}/a/b/file`)
    // The parent of where a link leads, as the kernel has it.
    expect(await resolve('short/..')).toBe(`${at.folder}/a`)
    expect(await resolve('short/none/deeper/..')).toBe(`${at.folder}/a/b/none`)
    expect(await resolve('a/dangling')).toBe(`${at.folder}/a/b/new`)
    expect(await resolve('etc/hostname')).toBe('/etc/hostname')
    expect((await at.files.resolve('/../..')).path).toBe('/')
    expect(await at.files.resolve(`${at.folder}/short/file/`)).toMatchObject({ info: { kind: 'file' } })
    expect((await at.files.resolve(`${at.folder}/short/none`)).info).toBeUndefined()
  })

  it('refuses a path through what is no directory, and a circle', async () => {
    await bash(at.world, at.folder, ': > file; ln -s two one; ln -s one two')
    for (const name of ['file/below', 'file/..', 'file/.']) {
      await expect(at.files.resolve(`${at.folder}/${name}`), name).rejects.toMatchObject({ code: 'FILE_NOT_DIRECTORY' })
    }
    const circle = { code: 'FILE_IO_FAILED', context: { errno: 'ELOOP' } }
    await expect(at.files.resolve(`${at.folder}/one`)).rejects.toMatchObject(circle)
    await expect(at.files.stat(`${at.folder}/one`)).rejects.toMatchObject(circle)
  })

  it('refuses what its user may not see', async () => {
    await bash(at.world, at.folder, 'mkdir closed; : > closed/file; ln -s closed/file link; chmod 000 closed')
    const denied = { code: 'FILE_PERMISSION_DENIED', context: { errno: 'EACCES', path: `${at.folder}/closed/file` } }
    await expect(at.files.stat(`${at.folder}/closed/file`)).rejects.toMatchObject(denied)
    await expect(at.files.read(`${at.folder}/closed/file`, 1)).rejects.toMatchObject(denied)
    await expect(at.files.resolve(`${at.folder}/link`)).rejects.toMatchObject({ code: 'FILE_PERMISSION_DENIED' })
    await expect(at.files.list(`${at.folder}/closed`, 1)).rejects.toMatchObject({ code: 'FILE_PERMISSION_DENIED' })
    await bash(at.world, at.folder, 'chmod 700 closed')
  })

  it.each([
    ['relative', 'a/b'],
    ['empty', ''],
    ['with a NUL', '/a\0b'],
    ['half a surrogate pair', '/a\ud800'],
    ['too long', `/${'a'.repeat(4095)}`],
    ['with a name that is too long', `/tmp/${'a'.repeat(256)}`],
  ])('refuses a path that is %s', async (_name, path) => {
    await expect(at.files.resolve(path)).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' })
    await expect(at.files.read(path, 1)).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' })
    await expect(at.files.write(path, new Uint8Array())).rejects.toMatchObject({ code: 'FILE_PATH_INVALID' })
  })
})
