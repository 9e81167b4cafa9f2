import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a file in one move: nobody ever reads half of it.
 *
 * @param {string} path
 * @param {string} text
 */
export async function writeWhole(path, text) {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, path)
}
