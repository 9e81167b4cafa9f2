import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/**
 * One value for the names and contents of files, and of whatever else decides an outcome.
 *
 * @param {string} root names are relative to it
 * @param {string[]} paths files and folders; absent ones count as absent
 * @param {string[]} [facts]
 * @returns {Promise<string>}
 */
export async function fingerprint(root, paths, facts = []) {
  const hash = createHash('sha256').update(JSON.stringify(facts))
  const files = (await Promise.all(paths.map(listFiles))).flat().sort()
  for (const file of files) {
    const content = await readFile(file)
    hash.update(`\0${relative(root, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * Whether the stamp says that the outcome for this fingerprint is there.
 *
 * @param {string} path
 * @param {string} value
 * @returns {Promise<boolean>}
 */
export async function isStamped(path, value) {
  return (await readFile(path, 'utf8').catch(() => undefined)) === value
}

/**
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function listFiles(path) {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    const nested = entries.map((entry) => {
      const child = join(path, entry.name)
      return entry.isDirectory() ? listFiles(child) : entry.isFile() ? [child] : []
    })
    return (await Promise.all(nested)).flat()
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOTDIR') return [path]
    if (code === 'ENOENT') return []
    throw error
  }
}
