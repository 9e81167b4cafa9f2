import type { ContainerUser } from '../container/container-spec.ts'
import { supervisorPlaces } from '../supervisor/places.ts'
import type {
  CallOptions,
  ContainerFiles,
  DirectoryEntry,
  FileInfo,
  FilePath,
  OpenFile,
  ReadOptions,
  ResolvedPath,
  WriteOptions,
  WrittenFile,
} from './container-files.ts'
import { decodeInfo, decodeResolved } from './answer-payloads.ts'
import { aborted, saysAbsent } from './file-error.ts'
import { FileServer, type FilesSession, type Outcome } from './file-server.ts'
import { listDirectory } from './list-directory.ts'
import { openFile, readFile } from './open-file.ts'
import { type FileRequest, requests } from './request-encoder.ts'
import { writeFile } from './write-file.ts'

/**
 * The files of a session, as `user` sees them. Starts nothing: the first call does.
 *
 * @param session a container with a supervisor
 * @param program where the supervisor's program lies in the session
 */
export function openContainerFiles(
  session: FilesSession,
  user: ContainerUser,
  program: string = supervisorPlaces.program,
): ContainerFiles {
  return new ServedFiles(() => new FileServer(session, user, program))
}

class ServedFiles implements ContainerFiles {
  private readonly start: () => FileServer
  private current: FileServer | undefined
  private isDisposed = false

  constructor(start: () => FileServer) {
    this.start = start
  }

  async resolve(path: FilePath, { signal }: CallOptions = {}): Promise<ResolvedPath> {
    return decodeResolved((await this.ask('resolve', path, requests.resolve(path), signal)).payload)
  }

  stat(path: FilePath, { signal }: CallOptions = {}): Promise<FileInfo | undefined> {
    return this.look(path, true, signal)
  }

  lstat(path: FilePath, { signal }: CallOptions = {}): Promise<FileInfo | undefined> {
    return this.look(path, false, signal)
  }

  async open(path: FilePath, options: ReadOptions = {}): Promise<OpenFile> {
    return openFile(this.server('read', path), path, options)
  }

  async read(
    path: FilePath,
    maxBytes: number,
    options: ReadOptions = {},
  ): Promise<{ info: FileInfo; bytes: Uint8Array }> {
    return readFile(this.server('read', path), path, maxBytes, options)
  }

  async list(path: FilePath, maxEntries: number, { signal }: CallOptions = {}): Promise<DirectoryEntry[]> {
    return listDirectory(this.server('list', path), path, maxEntries, signal)
  }

  async write(
    path: FilePath,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    options: WriteOptions = {},
  ): Promise<WrittenFile> {
    return writeFile(this.server('write', path), path, content, options)
  }

  async makeDirectory(path: FilePath, options: CallOptions & { createParents?: boolean } = {}): Promise<void> {
    const request = requests.makeDirectory(path, options.createParents ?? false)
    await this.ask('make the directory', path, request, options.signal)
  }

  async remove(path: FilePath, { signal }: CallOptions = {}): Promise<void> {
    await this.ask('remove', path, requests.remove(path), signal)
  }

  async rename(from: FilePath, to: FilePath, options: CallOptions & { replace?: boolean } = {}): Promise<void> {
    await this.ask('rename', from, requests.rename(from, to, options.replace ?? true), options.signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true
    await this.current?.end()
  }

  private async look(path: FilePath, follow: boolean, signal: AbortSignal | undefined): Promise<FileInfo | undefined> {
    try {
      return decodeInfo((await this.ask('look at', path, requests.stat(path, follow), signal)).payload)
    } catch (error) {
      if (saysAbsent(error)) return undefined
      throw error
    }
  }

  private async ask(verb: string, path: FilePath, request: FileRequest, signal?: AbortSignal): Promise<Outcome> {
    return this.server(verb, path).request({ verb, path }, request, signal)
  }

  /** The server that runs, or a new one where it has ended. */
  private server(verb: string, path: FilePath): FileServer {
    if (this.isDisposed) throw aborted({ verb, path })
    if (this.current === undefined || this.current.hasEnded) this.current = this.start()
    return this.current
  }
}
