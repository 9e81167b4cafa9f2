import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fingerprint, isStamped } from '../lib/stamp.mjs'
import { writeWhole } from '../lib/write-whole.mjs'

/** @type {string} */
let dir
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bash-docker-stamp-'))
  await mkdir(join(dir, 'src/deep'), { recursive: true })
  await writeFile(join(dir, 'src/deep/a.ts'), 'a')
  await writeFile(join(dir, 'lock'), '1')
})
afterEach(() => rm(dir, { recursive: true }))

const take = () => fingerprint(dir, [join(dir, 'src'), join(dir, 'lock'), join(dir, 'absent')])

it('changes with a content, a name, a new and a removed file', async () => {
  const seen = [await take()]
  await writeFile(join(dir, 'src/deep/a.ts'), 'b')
  seen.push(await take())
  await rename(join(dir, 'src/deep/a.ts'), join(dir, 'src/deep/b.ts'))
  seen.push(await take())
  await writeFile(join(dir, 'absent'), '')
  seen.push(await take())
  await rm(join(dir, 'lock'))
  seen.push(await take())
  expect(new Set(seen).size).toBe(seen.length)
})

it('is the same for the same files', async () => {
  const before = await take()
  await writeFile(join(dir, 'src/deep/a.ts'), 'a')
  expect(await take()).toBe(before)
})

it('counts only the stamp of the same fingerprint', async () => {
  const path = join(dir, 'cache/stamp')
  expect(await isStamped(path, 'x')).toBe(false)
  await writeWhole(path, 'x')
  expect(await isStamped(path, 'x')).toBe(true)
  expect(await isStamped(path, 'y')).toBe(false)
})
