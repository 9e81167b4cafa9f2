import type { FileVersion } from './container-files.ts'
import { versionBytes } from './files-protocol.ts'

const fieldCount = versionBytes / 8

/** `device:inode:size:mtime:ctime`, the times in nanoseconds, as the file server's numbers. */
export function decodeVersion(bytes: Buffer): FileVersion {
  const fields = Array.from({ length: fieldCount }, (_, index) => bytes.readBigUInt64LE(8 * index))
  return fields.join(':') as FileVersion
}

/** Undefined for what is no version. */
export function encodeVersion(version: FileVersion): Buffer | undefined {
  if (!/^\d{1,20}(:\d{1,20}){4}$/.test(version)) return undefined
  const fields = version.split(':').map(BigInt)
  if (fields.some((field) => field >= 2n ** 64n)) return undefined
  const bytes = Buffer.alloc(versionBytes)
  fields.forEach((field, index) => bytes.writeBigUInt64LE(field, 8 * index))
  return bytes
}
