import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withLock } from '../lib/lock.mjs'
import { Progress } from '../lib/progress.mjs'
import { identify } from '../lib/process-identity.mjs'
import { Interrupted } from '../lib/setup-error.mjs'

const progress = new Progress()
vi.spyOn(progress, 'say').mockImplementation(() => {})
const context = { progress, signal: new AbortController().signal }
/** @type {string} */
let path
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'bash-docker-lock-')), 'lock')
})
afterEach(() => rm(join(path, '..'), { recursive: true }))

it('is held while its function runs, and free afterwards, also when that fails', async () => {
  await withLock(path, context, async () => expect(existsSync(path)).toBe(true))
  expect(existsSync(path)).toBe(false)
  await expect(withLock(path, context, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(path)).toBe(false)
})

it('lets one in after the other', async () => {
  let inside = 0
  const enter = () =>
    withLock(path, context, async () => {
      inside += 1
      expect(inside).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      inside -= 1
    })
  await Promise.all([enter(), enter(), enter()])
})

it('does not wait for a process that has died', async () => {
  const { pid } = spawnSync('true')
  await writeFile(path, JSON.stringify({ pid, startTicks: '1' }))
  await expect(withLock(path, context, async () => 'in')).resolves.toBe('in')
})

it("does not take a later process with the holder's number for the holder", async () => {
  await writeFile(path, JSON.stringify({ pid: process.pid, startTicks: '1' }))
  await expect(withLock(path, context, async () => 'in')).resolves.toBe('in')
})

it('ends its wait when it is interrupted, and leaves the lock to its holder', async () => {
  const controller = new AbortController()
  await writeFile(path, JSON.stringify(identify(process.pid)))
  const waiting = withLock(path, { ...context, signal: controller.signal }, async () => 'in')
  controller.abort(new Interrupted('SIGINT'))
  await expect(waiting).rejects.toThrow(Interrupted)
  expect(existsSync(path)).toBe(true)
})
