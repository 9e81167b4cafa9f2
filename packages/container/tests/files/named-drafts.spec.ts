import { describe, expect, it } from 'vitest'
import { bash, openWorldWithoutTmpfile, text, useFileWorld } from './file-world.ts'

describe('writing where the file system knows no files without a name', () => {
  const at = useFileWorld(openWorldWithoutTmpfile)

  const listed = () => bash(at.world, at.folder, 'ls -A')

  it('gives the draft a hidden name, which is gone when it has its own', async () => {
    const path = `${at.folder}/file`
    let during = ''
    async function* content() {
      yield text('new')
      await at.files.stat('/') // answered after the draft was made
      during = await listed()
    }
    expect(await at.files.write(path, content())).toMatchObject({ isNew: true })
    expect(during).toMatch(/^\.bash-docker-[0-9a-f]{24}\n$/)
    expect(await at.files.write(path, text('newer'))).toMatchObject({ isNew: false })
    expect(await bash(at.world, at.folder, 'ls -A; cat file; stat -c " %a" file')).toBe('file\nnewer 644\n')
  })

  it('creates only where nothing is, also when it came in between', async () => {
    const path = `${at.folder}/file`
    async function* content() {
      yield text('new')
      await at.files.stat('/')
      await bash(at.world, at.folder, 'printf other > file')
    }
    const guard = { kind: 'create' } as const
    await expect(at.files.write(path, content(), { guard })).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    expect(await bash(at.world, at.folder, 'ls -A; cat file')).toBe('file\nother')
    expect(await at.files.write(`${at.folder}/second`, text('x'), { guard })).toMatchObject({ isNew: true })
    expect(await listed()).toBe('file\nsecond\n')
  })

  it('leaves no draft behind: not of a write that failed, nor at the end', async () => {
    async function* broken() {
      yield text('new')
      await at.files.stat('/')
      expect(await listed()).not.toBe('')
      throw new Error('no more')
    }
    await expect(at.files.write(`${at.folder}/file`, broken())).rejects.toThrow('no more')
    await at.files.stat('/') // answered after the draft was discarded
    expect(await listed()).toBe('')
    async function* endless() {
      yield text('new')
      await at.files.stat('/')
      await at.files[Symbol.asyncDispose]()
      expect(await listed()).toBe('')
    }
    await expect(at.files.write(`${at.folder}/file`, endless())).rejects.toMatchObject({ code: 'FILE_ABORTED' })
    expect(await listed()).toBe('')
  })
})
