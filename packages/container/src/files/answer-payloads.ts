import { isUtf8 } from 'node:buffer'
import type { DirectoryEntry, FileInfo, FileKind, ResolvedPath, WrittenFile } from './container-files.ts'
import { type FileFailure, filesProtocolError } from './file-error.ts'
import { decodeVersion } from './file-version.ts'
import { entryFlag, infoBytes, versionBytes } from './files-protocol.ts'

const kinds: readonly FileKind[] = ['other', 'file', 'directory', 'symlink']

/** An entry and the bytes of its name, by which a directory is sorted. */
export interface ListedEntry {
  readonly sortBytes: Buffer
  readonly entry: DirectoryEntry
}

export function decodeInfo(payload: Buffer): FileInfo {
  if (payload.length < infoBytes) throw filesProtocolError('an info is too short')
  const kind = kinds[payload.readUInt32LE(0)]
  if (kind === undefined) throw filesProtocolError('an unknown kind of file')
  return {
    kind,
    mode: payload.readUInt32LE(4),
    uid: payload.readUInt32LE(8),
    gid: payload.readUInt32LE(12),
    sizeBytes: Number(payload.readBigUInt64LE(infoBytes - versionBytes + 16)),
    version: decodeVersion(payload.subarray(infoBytes - versionBytes, infoBytes)),
  }
}

export function decodeFailure(payload: Buffer): FileFailure {
  if (payload.length !== 8) throw filesProtocolError('a failure of another length')
  return { errno: payload.readUInt32LE(0), reason: payload.readUInt32LE(4) }
}

export function decodeCount(payload: Buffer): number {
  if (payload.length !== 4) throw filesProtocolError('a count of another length')
  return payload.readUInt32LE(0)
}

export function decodeResolved(payload: Buffer): ResolvedPath {
  if (payload.length < 4) throw filesProtocolError('a path is too short')
  return resolvedPath(payload.subarray(4), payload.readUInt32LE(0) === 1)
}

export function decodeWritten(payload: Buffer): WrittenFile {
  if (payload.length !== 4 + infoBytes) throw filesProtocolError('the outcome of a write is of another length')
  return { isNew: payload.readUInt32LE(0) === 1, info: decodeInfo(payload.subarray(4)) }
}

export function decodeEntry(payload: Buffer): ListedEntry {
  if (payload.length < 8 + infoBytes) throw filesProtocolError('an entry is too short')
  const flags = payload.readUInt32LE(0)
  const nameEnd = 8 + infoBytes + payload.readUInt32LE(4)
  if (payload.length < nameEnd) throw filesProtocolError('a name is too short')
  const name = payload.subarray(8 + infoBytes, nameEnd)
  const { text, bytes } = textOf(name)
  return {
    sortBytes: name,
    entry: {
      name: text,
      ...(bytes === undefined ? {} : { nameBytes: bytes }),
      info: decodeInfo(payload.subarray(8)),
      ...((flags & entryFlag.targetKnown) === 0
        ? {}
        : { target: resolvedPath(payload.subarray(nameEnd), (flags & entryFlag.targetExists) !== 0) }),
    },
  }
}

function resolvedPath(payload: Buffer, exists: boolean): ResolvedPath {
  const info = exists ? decodeInfo(payload) : undefined
  const { text, bytes } = textOf(exists ? payload.subarray(infoBytes) : payload)
  return { path: text, ...(bytes === undefined ? {} : { pathBytes: bytes }), info }
}

function textOf(bytes: Buffer): { text: string; bytes: Uint8Array | undefined } {
  return { text: bytes.toString('utf8'), bytes: isUtf8(bytes) ? undefined : Uint8Array.from(bytes) }
}
