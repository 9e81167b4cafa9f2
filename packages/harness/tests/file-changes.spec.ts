import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FsTarget } from '@deepseek-ai/dsh-fs'
import type { ContainerFiles } from 'dsh-container'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FileChanges } from '../src/fs/file-changes.ts'
import { type TestWorld, testWorld } from './support/harness.ts'

const refused = (code: string): object => expect.objectContaining({ name: 'FsError', code })

describe('a change of a file that a command changes at the same moment', () => {
  let world: TestWorld
  let counter = 0
  beforeAll(async () => {
    world = await testWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const freshTarget = (): Promise<FsTarget> => world.ctx.fs.resolve(join(world.workspace, `file-${++counter}`))

  /** Writes to the file between the look at it and the write, so many times. */
  const overtaken = async (target: FsTarget, times: number): Promise<FileChanges> => {
    const { files } = await world.ctx.dockerWorld.enter()
    let left = times
    const write: ContainerFiles['write'] = (path, content, options) => {
      if (left-- > 0) writeFileSync(target.displayPath, `meanwhile two ${left}`)
      return files.write(path, content, options)
    }
    const racing: ContainerFiles = Object.assign(Object.create(files), { write })
    return new FileChanges(() => Promise.resolve(racing), 1000)
  }

  it('creates nothing over what was created meanwhile', async () => {
    const target = await freshTarget()
    const changes = await overtaken(target, 1)
    const write = changes.write(target, 'ours', { kind: 'createIfAbsent' }, undefined)
    await expect(write).rejects.toEqual(refused('FS_NOT_OBSERVED'))
    expect(readFileSync(target.displayPath, 'utf8')).toBe('meanwhile two 0')
  })

  it('replaces nothing but the version that was seen', async () => {
    const target = await freshTarget()
    const { version } = await world.ctx.fs.writeText(target, 'two')
    const write = (await overtaken(target, 1)).write(target, 'ours', { kind: 'replaceIfVersion', version }, undefined)
    await expect(write).rejects.toEqual(refused('FS_STALE_VERSION'))
    expect(readFileSync(target.displayPath, 'utf8')).toBe('meanwhile two 0')
  })

  it('edits what is there now when nobody said which version, and gives up some time', async () => {
    const edit = { oldString: 'two', newString: '2', replaceAll: false }
    const target = await freshTarget()
    await world.ctx.fs.writeText(target, 'two')
    await (await overtaken(target, 2)).edit(target, edit, undefined, undefined)
    expect(readFileSync(target.displayPath, 'utf8')).toBe('meanwhile 2 0')
    const never = (await overtaken(target, 1000)).edit(
      target,
      { ...edit, oldString: 'meanwhile' },
      undefined,
      undefined,
    )
    await expect(never).rejects.toEqual(refused('FS_STALE_VERSION'))
  })
})
