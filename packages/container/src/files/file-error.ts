import { type ErrorCode, type ErrorContext, SandboxError } from 'dsh-bash-error'
import { errnoName } from '../supervisor/linux-names.ts'
import type { FilePath } from './container-files.ts'
import { failureReason } from './files-protocol.ts'

/** What was to be done, as the message of an error says it: `read`, `list`, … */
export interface FileTask {
  readonly verb: string
  readonly path: FilePath
}

/** Why the file server could not do it. */
export interface FileFailure {
  readonly errno: number
  readonly reason: number
}

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'FILE_NOT_FOUND',
  ENOTDIR: 'FILE_NOT_DIRECTORY',
  EISDIR: 'FILE_NOT_REGULAR',
  EACCES: 'FILE_PERMISSION_DENIED',
  EPERM: 'FILE_PERMISSION_DENIED',
  EROFS: 'FILE_PERMISSION_DENIED',
  EEXIST: 'FILE_EXISTS',
  ENAMETOOLONG: 'FILE_PATH_INVALID',
}

/** The error for an answer of the file server. */
export function fileError(task: FileTask, failure: FileFailure): SandboxError {
  if (failure.reason === failureReason.notRegular) return failed('FILE_NOT_REGULAR', task, 'not a regular file')
  if (failure.reason === failureReason.stale) return failed('FILE_STALE', task, 'it has changed since it was read')
  const errno = errnoName(failure.errno)
  return failed(codes[errno] ?? 'FILE_IO_FAILED', task, errno, { errno })
}

export function tooLarge(task: FileTask, limit: ErrorContext): SandboxError {
  return failed('FILE_TOO_LARGE', task, `more than ${Object.values(limit).join()}`, limit)
}

export function aborted(task: FileTask, cause?: unknown): SandboxError {
  return new SandboxError('FILE_ABORTED', `${sentence(task)}: aborted`, { context: contextOf(task), cause })
}

export function invalidPath(path: FilePath, reason: string): SandboxError {
  return new SandboxError('FILE_PATH_INVALID', `${pathText(path)}: ${reason}`, { context: { path: pathText(path) } })
}

/** The server's answers are not understood, or it did not understand us. */
export function filesProtocolError(message: string, context: ErrorContext = {}): SandboxError {
  return new SandboxError('ENGINE_PROTOCOL', `the file server is not understood: ${message}`, { context })
}

/** Whether the error says that nothing is at the path. */
export function saysAbsent(error: unknown): boolean {
  return error instanceof SandboxError && (error.code === 'FILE_NOT_FOUND' || error.code === 'FILE_NOT_DIRECTORY')
}

function failed(code: ErrorCode, task: FileTask, reason: string, context: ErrorContext = {}): SandboxError {
  return new SandboxError(code, `${sentence(task)}: ${reason}`, { context: { ...contextOf(task), ...context } })
}

function sentence({ verb, path }: FileTask): string {
  return `cannot ${verb} ${pathText(path)}`
}

function contextOf({ path }: FileTask): ErrorContext {
  return { path: pathText(path) }
}

function pathText(path: FilePath): string {
  return typeof path === 'string' ? path : Buffer.from(path).toString('utf8')
}
