import { describe, expect, it } from 'vitest'
import { bash, fileWorlds, text, useFileWorld } from './file-world.ts'

describe.each(fileWorlds)('changing a directory %s', (_, open) => {
  const at = useFileWorld(open)

  it('makes a directory, and its parents when asked', async () => {
    const path = `${at.folder}/a/b`
    await expect(at.files.makeDirectory(path)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await at.files.makeDirectory(path, { createParents: true })
    await at.files.makeDirectory(path, { createParents: true })
    await expect(at.files.makeDirectory(path)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await bash(at.world, at.folder, ': > file; ln -s none dangling')
    const parents = { createParents: true }
    await expect(at.files.makeDirectory(`${at.folder}/file`, parents)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    await expect(at.files.makeDirectory(`${at.folder}/file/x`, parents)).rejects.toMatchObject({
      code: 'FILE_NOT_DIRECTORY',
    })
    await at.files.makeDirectory('/', parents)
  })

  it('removes a file, a link and an empty directory', async () => {
    await bash(at.world, at.folder, 'echo kept > kept; : > file; ln -s kept link; mkdir empty; mkdir -p full/inner')
    for (const name of ['file', 'link', 'empty']) await at.files.remove(`${at.folder}/${name}`)
    expect(await bash(at.world, at.folder, 'ls; cat kept')).toBe('full\nkept\nkept\n')
    await expect(at.files.remove(`${at.folder}/file`)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await expect(at.files.remove(`${at.folder}/full`)).rejects.toMatchObject({
      code: 'FILE_IO_FAILED',
      context: { errno: 'ENOTEMPTY' },
    })
  })

  it('moves in one step, over what is there or not', async () => {
    const path = (name: string) => `${at.folder}/${name}`
    await bash(at.world, at.folder, 'echo one > one; echo two > two; mkdir directory')
    await expect(at.files.rename(path('one'), path('two'), { replace: false })).rejects.toMatchObject({
      code: 'FILE_EXISTS',
    })
    await at.files.rename(path('one'), path('three'), { replace: false })
    await at.files.rename(path('three'), path('two'))
    await at.files.rename(path('directory'), path('moved'))
    expect(await bash(at.world, at.folder, 'ls; cat two')).toBe('moved\ntwo\none\n')
    await expect(at.files.rename(path('two'), path('moved'))).rejects.toMatchObject({ code: 'FILE_NOT_REGULAR' })
    await expect(at.files.rename(path('none'), path('two'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  it('does nothing that was aborted before', async () => {
    const signal = AbortSignal.abort()
    await at.files.write(`${at.folder}/file`, text('x'))
    const calls = [
      at.files.remove(`${at.folder}/file`, { signal }),
      at.files.rename(`${at.folder}/file`, `${at.folder}/other`, { signal }),
      at.files.makeDirectory(`${at.folder}/new`, { signal }),
      at.files.resolve(at.folder, { signal }),
      at.files.stat(at.folder, { signal }),
      at.files.lstat(at.folder, { signal }),
    ]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'FILE_ABORTED' })
    expect(await bash(at.world, at.folder, 'ls -A')).toBe('file\n')
  })
})
