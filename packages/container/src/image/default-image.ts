import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the default image is built from: beside the package, or in a checkout before its first build. */
export const baseDirectory = ['../../assets/base', '../../../../docker/base']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path)) as string

const hashLength = 12

/** Repository and tag of the default image; the tag is the hash of what it is built from. */
export const defaultImageName = { name: 'bash-docker/base', tag: contentHash(baseDirectory) } as const

/**
 * The reference of the default image. It is built where it is used and never pulled: a name that
 * nobody owns in a registry could be taken by anybody.
 */
export const DEFAULT_IMAGE = `${defaultImageName.name}:${defaultImageName.tag}`

function contentHash(directory: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(directory).toSorted()) {
    // Length first, so that no two lists of files run together to the same bytes.
    for (const part of [Buffer.from(name), readFileSync(join(directory, name))]) {
      hash.update(`${part.length}:`).update(part)
    }
  }
  return hash.digest('hex').slice(0, hashLength)
}
