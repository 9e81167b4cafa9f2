import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileSystem, FsTarget } from '@deepseek-ai/dsh-fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestWorld, testWorld } from './support/harness.ts'
import { run } from './support/processes.ts'

const refused = (code: string): object => expect.objectContaining({ name: 'FsError', code })

describe('the files of the container, for the harness', () => {
  let world: TestWorld
  let fs: FileSystem
  let counter = 0
  beforeAll(async () => {
    world = await testWorld()
    fs = world.ctx.fs
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const shell = (command: string): Promise<{ stdout: string; stderr: string }> =>
    run(world.ctx.subprocess, command, { cwd: world.workspace })
  const freshPath = (): string => join(world.workspace, `file-${++counter}`)
  const freshFile = async (content: string | Uint8Array): Promise<FsTarget> => {
    const path = freshPath()
    writeFileSync(path, content)
    return fs.resolve(path)
  }
  const versionOf = async (target: FsTarget) => {
    const info = await fs.stat(target)
    if (info === undefined) throw new Error('there is no such file')
    return info.version
  }

  describe('a target', () => {
    it('is the same by whatever way one comes to it', async () => {
      const target = await freshFile('here')
      symlinkSync(target.displayPath, `${target.displayPath}-link`)
      const byLink = await fs.resolve(`${target.displayPath}-link`)
      expect(byLink.targetKey).toBe(target.targetKey)
      expect(byLink.displayPath).toBe(`${target.displayPath}-link`)
      const relative = await fs.resolve('./x/../file-1', { cwd: world.workspace })
      expect(relative.targetKey).toBe((await fs.resolve(join(world.workspace, 'file-1'))).targetKey)
    })

    it('need not be there', async () => {
      const target = await fs.resolve('not/yet/there', { cwd: world.workspace })
      expect(fs.processPath(target)).toBe(join(world.workspace, 'not/yet/there'))
      expect(await fs.stat(target)).toBeUndefined()
      expect(await fs.lstat('not/yet/there', { cwd: world.workspace })).toBeUndefined()
    })

    it('lies in the world of the processes', async () => {
      await shell('echo inside > /tmp/inside')
      expect(await fs.readText(await fs.resolve('/tmp/inside'))).toBe('inside\n')
      expect(await fs.readText(await fs.resolve('/etc/hostname'))).toBe((await shell('cat /etc/hostname')).stdout)
    })

    it('has a URL and lies in what contains it', async () => {
      const directory = await fs.resolve('/tmp/a b')
      expect(fs.fileUrl(directory)).toBe('file:///tmp/a%20b')
      expect(fs.contains(directory, await fs.resolve('/tmp/a b/c'))).toBe(true)
      expect(fs.contains(directory, directory)).toBe(true)
      expect(fs.contains(directory, await fs.resolve('/tmp/a bc'))).toBe(false)
      expect(fs.contains(directory, await fs.resolve('/tmp/..x'))).toBe(false)
    })

    it.each(['', '  '])('is not %j', async (path) => {
      await expect(fs.resolve(path)).rejects.toEqual(refused('FS_NOT_FOUND'))
    })
  })

  it('are told apart by kind, without following a link where that is asked', async () => {
    const target = await freshFile('12345')
    symlinkSync(target.displayPath, `${target.displayPath}-link`)
    expect(await fs.stat(target)).toMatchObject({ type: 'file', size: 5 })
    expect(await fs.lstat(`${target.displayPath}-link`)).toMatchObject({ type: 'symlink' })
    expect(await fs.stat(await fs.resolve(world.workspace))).toMatchObject({ type: 'directory' })
    expect(await fs.stat(await fs.resolve('/dev/null'))).toMatchObject({ type: 'other' })
  })

  describe('are read', () => {
    it('as text, whole and in pieces', async () => {
      const text = 'zeile äöü €\n'.repeat(100_000)
      const target = await freshFile(text)
      expect(await fs.readText(target)).toBe(text)
      let streamed = ''
      for await (const chunk of await fs.streamText(target)) streamed += chunk
      expect(streamed).toBe(text)
    })

    it('as bytes up to a bound', async () => {
      const target = await freshFile(Uint8Array.of(0, 255, 1))
      expect([...(await fs.readBytes(target, undefined, 3))]).toEqual([0, 255, 1])
      await expect(fs.readBytes(target, undefined, 2)).rejects.toEqual(refused('FS_TOO_LARGE'))
    })

    it.each([
      ['binary', Uint8Array.of(65, 0), 'FS_NOT_TEXT'],
      ['no UTF-8', Uint8Array.of(65, 0xff), 'FS_NOT_TEXT'],
    ])('not when they are %s', async (_what, content, code) => {
      const target = await freshFile(content)
      await expect(fs.readText(target)).rejects.toEqual(refused(code))
      const streaming = async (): Promise<void> => {
        for await (const _chunk of await fs.streamText(target));
      }
      await expect(streaming()).rejects.toEqual(refused(code))
    })

    it('not when they are something else, or not there, or forbidden, or no longer wanted', async () => {
      const read = async (path: string, signal?: AbortSignal): Promise<string> =>
        fs.readText(await fs.resolve(path), signal)
      await expect(read(world.workspace)).rejects.toEqual(refused('FS_NOT_REGULAR_FILE'))
      await expect(read('/dev/zero')).rejects.toEqual(refused('FS_NOT_REGULAR_FILE'))
      await expect(read('/no/such')).rejects.toEqual(refused('FS_NOT_FOUND'))
      await expect(fs.resolve('/etc/passwd/child')).rejects.toEqual(refused('FS_NOT_FOUND'))
      expect(await fs.lstat('/etc/passwd/child')).toBeUndefined()
      await expect(read('/etc/passwd', AbortSignal.abort())).rejects.toEqual(refused('FS_ABORTED'))
    })
  })

  describe('are listed', () => {
    it('by name, with what each is and where its links lead', async () => {
      const directory = freshPath()
      mkdirSync(join(directory, 'dir'), { recursive: true })
      writeFileSync(join(directory, 'b.txt'), 'bb')
      symlinkSync('b.txt', join(directory, 'a-link'))
      symlinkSync('nowhere', join(directory, 'c-broken'))
      symlinkSync('d-circle', join(directory, 'd-circle'))
      const entries = await fs.listDir(await fs.resolve(directory))
      expect(entries.map(({ name, type, size }) => [name, type, size])).toEqual([
        ['a-link', 'file', 2],
        ['b.txt', 'file', 2],
        ['c-broken', 'other', undefined],
        ['d-circle', 'other', undefined],
        ['dir', 'directory', undefined],
      ])
      expect(entries[0]?.target).toEqual({
        displayPath: join(directory, 'a-link'),
        targetKey: entries[1]?.target.targetKey,
      })
    })

    it('also where a name is no text', async () => {
      const directory = freshPath()
      mkdirSync(directory)
      await shell(`printf content > ${directory}/$'bad\\xff'`)
      const [entry] = await fs.listDir(await fs.resolve(directory))
      expect(entry?.name).toBe('bad\u{FFFD}')
      expect(await fs.readText(entry!.target)).toBe('content')
    })

    it('only where they are a directory', async () => {
      await expect(fs.listDir(await freshFile(''))).rejects.toEqual(refused('FS_NOT_DIRECTORY'))
      await expect(fs.listDir(await fs.resolve('/no/such'))).rejects.toEqual(refused('FS_NOT_FOUND'))
    })
  })

  describe('are written', () => {
    it('with the directories above them, for their user alone', async () => {
      const target = await fs.resolve(join(freshPath(), 'deep/file'))
      const outcome = await fs.writeText(target, 'a\r\nb\n')
      expect(outcome).toMatchObject({ operation: 'create', before: null, after: 'a\nb\n' })
      expect(readFileSync(target.displayPath, 'utf8')).toBe('a\r\nb\n')
      expect(statSync(target.displayPath).mode & 0o777).toBe(0o600)
      expect(outcome.version).toBe(await versionOf(target))
    })

    it('through a link, with the permissions that were there', async () => {
      const target = await freshFile('old\r\n')
      chmodSync(target.displayPath, 0o640)
      symlinkSync(target.displayPath, `${target.displayPath}-link`)
      const outcome = await fs.writeText(await fs.resolve(`${target.displayPath}-link`), 'new')
      expect(outcome).toMatchObject({ operation: 'update', before: 'old\n', after: 'new' })
      expect(readFileSync(target.displayPath, 'utf8')).toBe('new')
      expect(statSync(target.displayPath).mode & 0o777).toBe(0o640)
    })

    it('only when nothing is there, if that is meant', async () => {
      const target = await fs.resolve(freshPath())
      await fs.writeText(target, 'first', { kind: 'createIfAbsent' })
      await expect(fs.writeText(target, 'second', { kind: 'createIfAbsent' })).rejects.toEqual(
        refused('FS_NOT_OBSERVED'),
      )
      expect(readFileSync(target.displayPath, 'utf8')).toBe('first')
    })

    it('only over the version that was seen, if that is meant', async () => {
      const target = await freshFile('first')
      const version = await versionOf(target)
      const written = await fs.writeText(target, 'other', { kind: 'replaceIfVersion', version })
      const again = fs.writeText(target, 'third', { kind: 'replaceIfVersion', version })
      await expect(again).rejects.toEqual(refused('FS_STALE_VERSION'))
      await fs.writeText(target, 'third', { kind: 'replaceIfVersion', version: written.version })
      const absent = await fs.resolve(freshPath())
      await expect(fs.writeText(absent, 'x', { kind: 'replaceIfVersion', version })).rejects.toEqual(
        refused('FS_STALE_VERSION'),
      )
    })

    it('one at a time: of many guarded ones, one', async () => {
      const target = await freshFile('0')
      const version = await versionOf(target)
      const writes = Array.from({ length: 8 }, (_, index) =>
        fs.writeText(target, String(index), { kind: 'replaceIfVersion', version }),
      )
      const outcomes = await Promise.allSettled(writes)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    it('neither over a directory nor where the world is read-only', async () => {
      const write = async (path: string): Promise<unknown> => fs.writeText(await fs.resolve(path), 'x')
      await expect(write(world.workspace)).rejects.toEqual(refused('FS_NOT_REGULAR_FILE'))
      await expect(write('/etc/planted')).rejects.toEqual(refused('FS_PERMISSION_DENIED'))
    })
  })

  describe('are edited', () => {
    const edit = { oldString: 'two', newString: '2', replaceAll: false }

    it('literally, with their line ends', async () => {
      const target = await freshFile('one\r\ntwo\r\n')
      const outcome = await fs.editText(target, edit)
      expect(outcome).toMatchObject({ before: 'one\ntwo\n', after: 'one\n2\n' })
      expect(readFileSync(target.displayPath, 'utf8')).toBe('one\r\n2\r\n')
      expect(outcome.version).toBe(await versionOf(target))
    })

    it('not when they changed since they were seen, whatever is in them', async () => {
      const target = await freshFile('one two')
      const version = await versionOf(target)
      await shell(`echo 'nothing of it' > ${target.displayPath}`)
      await expect(fs.editText(target, edit, { version })).rejects.toEqual(refused('FS_STALE_VERSION'))
      await expect(fs.editText(target, edit)).rejects.toEqual(refused('FS_EDIT_NOT_FOUND'))
    })

    it('not when they are not there, or no text', async () => {
      await expect(fs.editText(await fs.resolve(freshPath()), edit)).rejects.toEqual(refused('FS_STALE_VERSION'))
      await expect(fs.editText(await freshFile('two\0'), edit)).rejects.toEqual(refused('FS_NOT_TEXT'))
    })

    it('one after the other, none lost', async () => {
      const target = await freshFile('0123456789')
      const edits = [...'0123456789'].map((digit) =>
        fs.editText(target, { oldString: digit, newString: `[${digit}]`, replaceAll: false }),
      )
      await Promise.all(edits)
      expect(readFileSync(target.displayPath, 'utf8')).toBe([...'0123456789'].map((digit) => `[${digit}]`).join(''))
    })
  })
})
