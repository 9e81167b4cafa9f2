import type { FilePath, FileVersion, WriteGuard } from './container-files.ts'
import { invalidPath } from './file-error.ts'
import { guardKind, headerBytes, maxPathBytes, operation, versionBytes } from './files-protocol.ts'
import { encodeVersion } from './file-version.ts'

/** A request, but for its id. */
export interface FileRequest {
  readonly operation: number
  readonly words: readonly number[]
  readonly tail?: Uint8Array
}

/**
 * The bytes of a path as the kernel takes them.
 *
 * @throws `FILE_PATH_INVALID`
 */
function pathBytes(path: FilePath): Uint8Array {
  if (typeof path === 'string' && !path.isWellFormed()) throw invalidPath(path, 'it holds half of a surrogate pair')
  const bytes = typeof path === 'string' ? Buffer.from(path) : path
  if (bytes[0] !== 0x2f) throw invalidPath(path, 'not an absolute path')
  if (bytes.includes(0)) throw invalidPath(path, 'it holds a NUL byte')
  if (bytes.length > maxPathBytes) throw invalidPath(path, `longer than ${maxPathBytes} bytes`)
  return bytes
}

export const requests = {
  resolve: (path: FilePath): FileRequest => ({ operation: operation.resolve, words: [], tail: pathBytes(path) }),
  stat: (path: FilePath, follow: boolean): FileRequest => ({
    operation: operation.stat,
    words: [Number(follow)],
    tail: pathBytes(path),
  }),
  open: (handle: number, path: FilePath): FileRequest => ({
    operation: operation.open,
    words: [handle],
    tail: pathBytes(path),
  }),
  read: (handle: number, offsetBytes: number, lengthBytes: number): FileRequest => ({
    operation: operation.read,
    words: [handle, lengthBytes, offsetBytes % 2 ** 32, Math.floor(offsetBytes / 2 ** 32)],
  }),
  close: (handle: number): FileRequest => ({ operation: operation.close, words: [handle] }),
  openDirectory: (handle: number, path: FilePath): FileRequest => ({
    operation: operation.openDirectory,
    words: [handle],
    tail: pathBytes(path),
  }),
  list: (handle: number): FileRequest => ({ operation: operation.list, words: [handle] }),
  create: (handle: number, path: FilePath, createParents: boolean): FileRequest => ({
    operation: operation.create,
    words: [handle, Number(createParents)],
    tail: pathBytes(path),
  }),
  write: (handle: number, bytes: Uint8Array): FileRequest => ({
    operation: operation.write,
    words: [handle],
    tail: bytes,
  }),
  commit: (handle: number, guard: WriteGuard | undefined, newFileMode: number): FileRequest => ({
    operation: operation.commit,
    words: [handle, guardKind[guard?.kind ?? 'none'], newFileMode],
    tail: guard?.kind === 'replace' ? wantedVersion(guard.version) : new Uint8Array(versionBytes),
  }),
  makeDirectory: (path: FilePath, createParents: boolean): FileRequest => ({
    operation: operation.makeDirectory,
    words: [Number(createParents)],
    tail: pathBytes(path),
  }),
  remove: (path: FilePath): FileRequest => ({ operation: operation.remove, words: [], tail: pathBytes(path) }),
  rename: (from: FilePath, to: FilePath, replace: boolean): FileRequest => {
    const first = pathBytes(from)
    return {
      operation: operation.rename,
      words: [Number(!replace), first.length],
      tail: Buffer.concat([first, pathBytes(to)]),
    }
  },
}

/** What is no version of a file names no file's state. */
function wantedVersion(version: FileVersion): Uint8Array {
  return encodeVersion(version) ?? new Uint8Array(versionBytes)
}

/** Requests whose tail is longer are sent in two pieces: their content is not copied. */
const maxCopiedBytes = 16 * 1024

/** The pieces of one request, in order. */
export function encodeRequest(id: number, request: FileRequest): Uint8Array[] {
  const tail = request.tail ?? new Uint8Array()
  const isCopied = tail.length <= maxCopiedBytes
  const fixedBytes = headerBytes + 4 * request.words.length
  const bytes = Buffer.allocUnsafe(fixedBytes + (isCopied ? tail.length : 0))
  let at = bytes.writeUInt32LE(4 * request.words.length + tail.length, 0)
  for (const word of [id, request.operation, ...request.words]) at = bytes.writeUInt32LE(word, at)
  if (!isCopied) return [bytes, tail]
  bytes.set(tail, at)
  return [bytes]
}
