import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import type { FileSystem } from '@deepseek-ai/dsh-fs'
import LocalFileSystem from '@deepseek-ai/dsh-fs-local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestWorld, testWorld } from './support/harness.ts'

type Operation = (fs: FileSystem, directory: string) => Promise<unknown>

const edit = { oldString: 'two', newString: '2', replaceAll: false }

async function collect(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

function at(
  name: string,
  work: (fs: FileSystem, target: Awaited<ReturnType<FileSystem['resolve']>>) => unknown,
): Operation {
  return async (fs, directory) => work(fs, await fs.resolve(name, { cwd: directory }))
}

/** By what a user of the seam would say of each. */
const operations: Readonly<Record<string, Operation>> = {
  'resolve a file': at('text', (_fs, target) => target),
  'resolve a link': at('link', (_fs, target) => target),
  'resolve what is not there': at('no/such', (_fs, target) => target),
  'resolve below a file': at('text/below', (_fs, target) => target),
  'resolve nothing': at('', (_fs, target) => target),
  'name a file as a URL': at('text', (fs, target) => fs.fileUrl(target)),
  'look at a file': at('text', async (fs, target) => ({ ...(await fs.stat(target)), version: '' })),
  'look at nothing': at('none', (fs, target) => fs.stat(target)),
  'look at a link itself': async (fs, directory) => (await fs.lstat('link', { cwd: directory }))?.type,
  'look at nothing itself': (fs, directory) => fs.lstat('none', { cwd: directory }),
  'read text': at('text', (fs, target) => fs.readText(target)),
  'read text with a byte order mark': at('marked', (fs, target) => fs.readText(target)),
  'read through a link': at('link', (fs, target) => fs.readText(target)),
  'read a directory': at('dir', (fs, target) => fs.readText(target)),
  'read nothing': at('none', (fs, target) => fs.readText(target)),
  'read bytes as text': at('binary', (fs, target) => fs.readText(target)),
  'read no UTF-8': at('latin', (fs, target) => fs.readText(target)),
  'read when it is no longer wanted': at('text', (fs, target) => fs.readText(target, AbortSignal.abort())),
  'stream text': at('text', async (fs, target) => collect(await fs.streamText(target))),
  'stream bytes as text': at('binary', async (fs, target) => collect(await fs.streamText(target))),
  'stream nothing': at('none', async (fs, target) => collect(await fs.streamText(target))),
  'read bytes': at('binary', async (fs, target) => [...(await fs.readBytes(target, undefined, 100))]),
  'read too many bytes': at('text', (fs, target) => fs.readBytes(target, undefined, 3)),
  'list a directory': async (fs, directory) =>
    (await fs.listDir(await fs.resolve(directory))).map(({ version: _version, ...entry }) => entry),
  'list a file': at('text', (fs, target) => fs.listDir(target)),
  'list nothing': at('none', (fs, target) => fs.listDir(target)),
  'create a file': at('new/file', async (fs, target) => [
    { ...(await fs.writeText(target, 'a\r\nb')), version: '' },
    statSync(target.displayPath).mode,
  ]),
  'create a file that is there': at('text', (fs, target) => fs.writeText(target, 'x', { kind: 'createIfAbsent' })),
  'create a directory as a file': at('dir', (fs, target) => fs.writeText(target, 'x', { kind: 'createIfAbsent' })),
  'replace a file': at('crlf', async (fs, target) => [
    { ...(await fs.writeText(target, 'x')), version: '' },
    statSync(target.displayPath).mode,
  ]),
  'replace a directory': at('dir', (fs, target) => fs.writeText(target, 'x')),
  'replace a stale version': at('text', async (fs, target) => {
    const info = await fs.stat(target)
    await fs.writeText(target, 'newer')
    return fs.writeText(target, 'x', { kind: 'replaceIfVersion', version: info!.version })
  }),
  'edit a file': at('crlf', async (fs, target) => ({ ...(await fs.editText(target, edit)), version: '' })),
  'edit nothing': at('none', (fs, target) => fs.editText(target, edit)),
  'edit a directory': at('dir', (fs, target) => fs.editText(target, edit)),
  'edit bytes': at('binary', (fs, target) => fs.editText(target, edit)),
  'edit what is not in it': at('text', (fs, target) => fs.editText(target, { ...edit, oldString: 'none' })),
  'edit nothing in it': at('text', (fs, target) => fs.editText(target, { ...edit, oldString: '' })),
  'edit what is in it twice': at('text', (fs, target) => fs.editText(target, { ...edit, oldString: 'o' })),
  'edit all of it': at('text', async (fs, target) => {
    const { after } = await fs.editText(target, { oldString: 'o', newString: '0', replaceAll: true })
    return after
  }),
}

function furnish(parent: string): string {
  const directory = mkdtempSync(join(parent, 'case-'))
  writeFileSync(join(directory, 'text'), 'one\ntwo\n')
  writeFileSync(join(directory, 'crlf'), 'one\r\ntwo\r\n')
  chmodSync(join(directory, 'crlf'), 0o640)
  writeFileSync(join(directory, 'marked'), '\u{FEFF}marked')
  writeFileSync(join(directory, 'binary'), Uint8Array.of(1, 0, 2))
  writeFileSync(join(directory, 'latin'), Uint8Array.of(0xe4))
  mkdirSync(join(directory, 'dir'))
  symlinkSync('text', join(directory, 'link'))
  return directory
}

async function outcomeOf(fs: FileSystem, directory: string, operation: Operation): Promise<unknown> {
  const outcome = await operation(fs, directory).then(
    (value) => ({ value }),
    (error: { code?: string }) => ({ code: error.code }),
  )
  return JSON.parse(JSON.stringify(outcome).replaceAll(directory, '<directory>'))
}

describe('the files of the container and those of dsh-fs-local do the same when asked to', () => {
  let world: TestWorld
  const local = new Context()
  beforeAll(async () => {
    world = await testWorld()
    await local.plugin(LocalFileSystem, {})
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await local.fiber.dispose()
  })

  it.each(Object.entries(operations))('%s', async (_name, operation) => {
    const theirs = await outcomeOf(local.fs, furnish(world.workspace), operation)
    expect(await outcomeOf(world.ctx.fs, furnish(world.workspace), operation)).toEqual(theirs)
  })
})
