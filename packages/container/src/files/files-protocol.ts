/** The numbers of `docs/files-protocol.md`; `docker/supervisor/src/files-request.h` holds the same. */

export const filesVersion = 1

export const headerBytes = 12
export const maxChunkBytes = 128 * 1024
export const maxPathBytes = 4095
export const handleCount = 256
export const infoBytes = 56
/** The end of an info: what changes with the file. */
export const versionBytes = 40

export const operation = {
  resolve: 1,
  stat: 2,
  open: 3,
  read: 4,
  close: 5,
  openDirectory: 6,
  list: 7,
  create: 8,
  write: 9,
  commit: 10,
  makeDirectory: 11,
  remove: 12,
  rename: 13,
} as const

export const answerKind = { hello: 0, done: 1, failed: 2, entry: 3 } as const

export const failureReason = { errno: 0, notRegular: 1, stale: 2 } as const

export const guardKind = { none: 0, create: 1, replace: 2 } as const

export const entryFlag = { targetKnown: 1, targetExists: 2 } as const
