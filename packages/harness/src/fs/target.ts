import { posix } from 'node:path'
import { type FsInfo, type FsTarget, FsTargetKey, FsVersion } from '@deepseek-ai/dsh-fs'
import type { DirectoryEntry, FileInfo, FilePath, ResolvedPath } from 'dsh-container'

/** Of a key that is the bytes of a path, in hexadecimal: no path begins like this. */
const bytesPrefix = 'bytes:'

/** Whatever leads to a file is the same target: its key is its path without a link on it. */
export function targetOf(displayPath: string, { path, pathBytes }: Pick<ResolvedPath, 'path' | 'pathBytes'>): FsTarget {
  const key = pathBytes === undefined ? path : bytesPrefix + Buffer.from(pathBytes).toString('hex')
  return { displayPath, targetKey: FsTargetKey(key) }
}

export function filePathOf({ targetKey }: FsTarget): FilePath {
  if (!targetKey.startsWith(bytesPrefix)) return targetKey
  return Buffer.from(targetKey.slice(bytesPrefix.length), 'hex')
}

/** With U+FFFD for what is not valid UTF-8 in it. */
export function pathTextOf(target: FsTarget): string {
  const path = filePathOf(target)
  return typeof path === 'string' ? path : Buffer.from(path).toString('utf8')
}

/** The target of an entry of the directory `parent`. A link that leads nowhere is its own target. */
export function entryTarget(parent: FsTarget, entry: DirectoryEntry): FsTarget {
  const displayPath = posix.join(parent.displayPath, entry.name)
  return targetOf(displayPath, entry.target ?? childPath(parent, entry))
}

function childPath(parent: FsTarget, { name, nameBytes }: DirectoryEntry): Pick<ResolvedPath, 'path' | 'pathBytes'> {
  const path = posix.join(pathTextOf(parent), name)
  if (nameBytes === undefined && !parent.targetKey.startsWith(bytesPrefix)) return { path }
  const slash = Buffer.from('/')
  return { path, pathBytes: Buffer.concat([Buffer.from(filePathOf(parent)), slash, nameBytes ?? Buffer.from(name)]) }
}

/** Undefined sizes are those of what is no regular file. */
export function infoOf({ kind, version, sizeBytes }: FileInfo): FsInfo {
  const type = kind === 'symlink' ? 'other' : kind
  return { version: FsVersion(version), type, ...(kind === 'file' ? { size: sizeBytes } : {}) }
}
