import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { identify, isAlive } from './process-identity.mjs'

const pollMs = 200

/**
 * Runs something while no other process holds the lock. The lock of a process that died does not count.
 *
 * @template T
 * @param {string} path of the lock file
 * @param {import('./context.mjs').SetupContext} context
 * @param {() => Promise<T>} run
 * @returns {Promise<T>}
 */
export async function withLock(path, { progress, signal }, run) {
  await mkdir(dirname(path), { recursive: true })
  if (!(await tryLock(path))) {
    await progress.step('Waiting for another run to finish its part', async () => {
      while (!(await tryLock(path))) await delay(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    })
  }
  try {
    return await run()
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * @param {string} path
 * @returns {Promise<boolean>} whether we hold it now
 */
async function tryLock(path) {
  const own = `${path}.${randomUUID()}`
  await writeFile(own, JSON.stringify(identify(process.pid)))
  try {
    // Unlike opening exclusively, a link shows the file to others with its content.
    await link(own, path)
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    await removeDeadLock(path, own)
    return false
  } finally {
    await rm(own, { force: true })
  }
}

/**
 * @param {string} path
 * @param {string} own a name that nobody else uses
 */
async function removeDeadLock(path, own) {
  const holder = await readHolder(path)
  if (holder === undefined || isAlive(holder)) return
  await rename(path, own).catch(() => {}) // Gone meanwhile: the next try finds out.
  const moved = await readHolder(own)
  // Between the look and the move another process may have done the same and locked: give it back.
  if (moved !== undefined && isAlive(moved)) await link(own, path).catch(() => {})
}

/**
 * @param {string} path
 * @returns {Promise<import('./process-identity.mjs').ProcessIdentity | undefined>}
 */
async function readHolder(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined // Released meanwhile.
  }
}
