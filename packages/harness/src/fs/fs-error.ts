import { FsError, type FsErrorCode } from '@deepseek-ai/dsh-fs'
import { type ErrorCode, isSandboxError, messageOf } from 'dsh-bash-error'

/** The seam's code for each of ours that it has a word for; the rest is an I/O failure to it. */
const seamCodes: Partial<Record<ErrorCode, FsErrorCode>> = {
  FILE_PATH_INVALID: 'FS_NOT_FOUND',
  FILE_NOT_FOUND: 'FS_NOT_FOUND',
  FILE_NOT_DIRECTORY: 'FS_NOT_DIRECTORY',
  FILE_NOT_REGULAR: 'FS_NOT_REGULAR_FILE',
  FILE_TOO_LARGE: 'FS_TOO_LARGE',
  FILE_PERMISSION_DENIED: 'FS_PERMISSION_DENIED',
  FILE_EXISTS: 'FS_NOT_OBSERVED',
  FILE_STALE: 'FS_STALE_VERSION',
  FILE_ABORTED: 'FS_ABORTED',
}

/** What the harness reads in an error about `path`, by the seam's code. */
const phrases: Partial<Record<FsErrorCode, string>> = {
  FS_NOT_FOUND: 'not found',
  FS_NOT_DIRECTORY: 'not a directory',
  FS_NOT_REGULAR_FILE: 'not a regular file',
  FS_PERMISSION_DENIED: 'permission denied in the container',
  FS_STALE_VERSION: 'file changed since it was read',
}

/** The seam's error for whatever kept `verb` from being done to `path`. */
export function toFsError(error: unknown, verb: string, path: string): FsError {
  if (error instanceof FsError) return error
  const code = (isSandboxError(error) ? seamCodes[error.code] : undefined) ?? 'FS_IO_ERROR'
  if (code === 'FS_ABORTED') return new FsError(`${verb} aborted`, code, { cause: error })
  if (code === 'FS_NOT_OBSERVED') return notObserved(path, error)
  return new FsError(`cannot ${verb} "${path}": ${phrases[code] ?? messageOf(error)}`, code, { cause: error })
}

/** A file that nobody has looked at yet is there, where one was to be created. */
export function notObserved(path: string, cause?: unknown): FsError {
  return new FsError(`cannot overwrite existing "${path}" without reading it first`, 'FS_NOT_OBSERVED', { cause })
}

/** Something on the way to `path` is a file. */
export function notReachable(path: string, cause: unknown): FsError {
  return new FsError(`cannot resolve "${path}": a parent path segment is not a directory`, 'FS_NOT_FOUND', { cause })
}
