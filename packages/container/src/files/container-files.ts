/** An absolute path in the container: text, or bytes where a name on it is not valid UTF-8. Never with a NUL. */
export type FilePath = string | Uint8Array

declare const fileVersion: unique symbol

/**
 * Names one state of one file: device, inode, size, and the times of the last change of content and of
 * the last change of anything, in nanoseconds. Opaque. What the kernel's clock does not tell apart (two
 * changes in place of the same size within one of its ticks, some milliseconds) it does not either.
 */
export type FileVersion = string & { readonly [fileVersion]: true }

export type FileKind = 'file' | 'directory' | 'symlink' | 'other'

/** What the kernel says of one file. */
export interface FileInfo {
  readonly kind: FileKind
  readonly sizeBytes: number
  /** Permission bits, with set-user-id, set-group-id and sticky. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly version: FileVersion
}

/** A path without a symbolic link on it, and what is there. */
export interface ResolvedPath {
  /** Where it is not valid UTF-8, with U+FFFD in place of what is not, and `pathBytes` is the path. */
  readonly path: string
  readonly pathBytes?: Uint8Array
  /** Undefined when nothing is there. */
  readonly info: FileInfo | undefined
}

export interface DirectoryEntry {
  /** Where it is not valid UTF-8, with U+FFFD in place of what is not, and `nameBytes` is the name. */
  readonly name: string
  readonly nameBytes?: Uint8Array
  /** Of the entry itself, a link not followed. */
  readonly info: FileInfo
  /** Of a symbolic link: where it leads; absent when it leads in a circle or where nobody may look. */
  readonly target?: ResolvedPath
}

export interface CallOptions {
  /** Aborts the call, which rejects with `FILE_ABORTED`. */
  readonly signal?: AbortSignal | undefined
}

export interface ReadOptions extends CallOptions {
  /** First byte; 0 when absent. */
  readonly offsetBytes?: number
  /** How many bytes at most; all when absent. */
  readonly lengthBytes?: number
}

/** An open regular file. It is what was opened, whatever its path leads to meanwhile. */
export interface OpenFile {
  /** As it was opened, before its first byte was read: a version that guards a later write. */
  readonly info: FileInfo
  /**
   * The bytes, each chunk fetched when it is about to be wanted. To be iterated once, to its end or to a
   * `return`: until then the file is open in the container, and of what is open there at most 256 are at
   * once; who wants more waits.
   */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** What must be there when a write takes effect. */
export type WriteGuard =
  /** Nothing: else `FILE_EXISTS`, and what is there is left. Also against commands that create it meanwhile. */
  | { readonly kind: 'create' }
  /**
   * This state of the file: else `FILE_STALE`. Checked in the same step as the write of this session and
   * user, so that of several such writers one wins; a command may still write between check and write.
   */
  | { readonly kind: 'replace'; readonly version: FileVersion }

export interface WriteOptions extends CallOptions {
  readonly guard?: WriteGuard | undefined
  /** Makes missing parent directories. */
  readonly createParents?: boolean
  /** Of a new file; 0o644 when absent. A file that is replaced keeps its permission bits. */
  readonly newFileMode?: number
}

export interface WrittenFile {
  /** Whether nothing was there before. */
  readonly isNew: boolean
  readonly info: FileInfo
}

/**
 * The files of one session, as one user of its container sees them. All work is done in the container by
 * a process of that user: nothing is read or written on the host, a link leads where it leads for a
 * command, and what a command may not do is refused.
 *
 * Every call rejects with a `SandboxError`: `FILE_*` with the kernel's word in `context.errno`,
 * `SESSION_LOST` when the session has ended, `FILES_INTERRUPTED` when that process was killed meanwhile
 * (a command of the same user can); the next call starts it again.
 */
export interface ContainerFiles extends AsyncDisposable {
  /**
   * Follows every link, also one that leads to what is not there; what is missing stays in the path as
   * it is. `..` leads to the parent of where one is.
   *
   * @throws `FILE_NOT_DIRECTORY` when something on the way is there and no directory, `FILE_PERMISSION_DENIED`
   */
  resolve(path: FilePath, options?: CallOptions): Promise<ResolvedPath>

  /** Of what the path leads to; undefined when nothing is there. */
  stat(path: FilePath, options?: CallOptions): Promise<FileInfo | undefined>

  /** Of what is at the path, a link not followed; undefined when nothing is there. */
  lstat(path: FilePath, options?: CallOptions): Promise<FileInfo | undefined>

  /**
   * Opens a regular file to read it in chunks.
   *
   * @throws `FILE_NOT_REGULAR` for anything else, which is not even opened
   */
  open(path: FilePath, options?: ReadOptions): Promise<OpenFile>

  /**
   * The whole of a regular file, or of the part that is asked for.
   *
   * @throws `FILE_TOO_LARGE` when that is more than `maxBytes`, and then at most one byte more was read
   */
  read(
    path: FilePath,
    maxBytes: number,
    options?: ReadOptions,
  ): Promise<{ readonly info: FileInfo; readonly bytes: Uint8Array }>

  /**
   * A directory's entries, without `.` and `..`, in the order of the bytes of their names.
   *
   * @throws `FILE_NOT_DIRECTORY`; `FILE_TOO_LARGE` when there are more than `maxEntries`
   */
  list(path: FilePath, maxEntries: number, options?: CallOptions): Promise<DirectoryEntry[]>

  /**
   * Writes a whole file beside its place, has it on the disk, and then puts it in its place in one step:
   * whoever looks sees the old file or the new one. The last name of the path is not followed: a link
   * there is refused, so resolve the path first. Other hard links to the old file keep its content. An
   * abort has no effect once the last step was asked for.
   *
   * @throws `FILE_NOT_REGULAR` when something else is there, `FILE_EXISTS` and `FILE_STALE` by the guard,
   * `FILE_PERMISSION_DENIED` when the old file may not be written, `FILE_IO_FAILED` with `ENOSPC`; then
   * the old file is whole
   */
  write(path: FilePath, content: Uint8Array | AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<WrittenFile>

  /** Makes a directory. With `createParents` also those above it, and one that is there already is none to make. */
  makeDirectory(path: FilePath, options?: CallOptions & { readonly createParents?: boolean }): Promise<void>

  /** Removes a file, a link (not what it leads to), or an empty directory. */
  remove(path: FilePath, options?: CallOptions): Promise<void>

  /** Moves in one step. What is at `to` is replaced, or with `replace: false` left, and `FILE_EXISTS` thrown. */
  rename(from: FilePath, to: FilePath, options?: CallOptions & { readonly replace?: boolean }): Promise<void>
}
