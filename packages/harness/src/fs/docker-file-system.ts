import { constants } from 'node:buffer'
import { posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import {
  FileSystem,
  type FsDirEntry,
  type FsEditOutcome,
  type FsEditRequest,
  FsError,
  type FsInfo,
  type FsPathInfo,
  type FsTarget,
  FsVersion,
  type FsWriteIntent,
  type FsWriteOutcome,
} from '@deepseek-ai/dsh-fs'
import { isSandboxError } from 'dsh-bash-error'
import { pluginConfig } from 'dsh-bash-process'
import type { ContainerFiles, OpenFile } from 'dsh-container'
import { z } from 'zod'
import type { DockerWorld } from '../world/index.ts'
import { FileChanges } from './file-changes.ts'
import { notReachable, toFsError } from './fs-error.ts'
import { entryTarget, filePathOf, infoOf, pathTextOf, targetOf } from './target.ts'
import { TextReader } from './text.ts'

/** More entries than this are no listing that anybody reads. */
const maxEntries = 1_000_000

const configSchema = z.strictObject({
  /** From so many bytes on, a write does not show what it replaced. */
  diffBasisMaxBytes: z.number().int().positive().max(constants.MAX_STRING_LENGTH).default(10_485_760),
})

/**
 * `ctx.fs`: the files of the container of `ctx.dockerWorld`, as its user sees them. No path is ever
 * looked at on the host, so that a link leads where it leads for a command.
 */
export class DockerFileSystem extends FileSystem {
  static readonly inject = ['dockerWorld']
  static readonly Config = pluginConfig('sandbox-docker/fs', configSchema)

  private readonly world: DockerWorld
  private readonly changes: FileChanges

  constructor(ctx: Context, config: z.input<typeof configSchema> = {}) {
    super(ctx)
    this.world = ctx.dockerWorld
    this.changes = new FileChanges(() => this.files(), configSchema.parse(config).diffBasisMaxBytes)
  }

  async resolve(path: string, opts: { cwd?: string; signal?: AbortSignal } = {}): Promise<FsTarget> {
    const displayPath = this.absolute(path, opts.cwd)
    return this.doing('resolve', displayPath, async (files) => {
      try {
        return targetOf(displayPath, await files.resolve(displayPath, { signal: opts.signal }))
      } catch (error) {
        // Nothing can be there: to the harness that is not a directory of the wrong kind, but no file.
        throw isSandboxError(error) && error.code === 'FILE_NOT_DIRECTORY' ? notReachable(displayPath, error) : error
      }
    })
  }

  processPath(target: FsTarget): string {
    return pathTextOf(target)
  }

  fileUrl(target: FsTarget): string {
    return pathToFileURL(pathTextOf(target), { windows: false }).href
  }

  contains(parent: FsTarget, child: FsTarget): boolean {
    const path = posix.relative(pathTextOf(parent), pathTextOf(child))
    return path === '' || (path !== '..' && !path.startsWith('../'))
  }

  stat(target: FsTarget, signal?: AbortSignal): Promise<FsInfo | undefined> {
    return this.doing('stat', target.displayPath, async (files) => {
      const info = await files.stat(filePathOf(target), { signal })
      return info === undefined ? undefined : infoOf(info)
    })
  }

  lstat(path: string, opts: { cwd?: string } = {}, signal?: AbortSignal): Promise<FsPathInfo | undefined> {
    const displayPath = this.absolute(path, opts.cwd)
    return this.doing('stat', displayPath, async (files) => {
      const info = await files.lstat(displayPath, { signal })
      return info === undefined
        ? undefined
        : { version: FsVersion(info.version), type: info.kind, size: info.sizeBytes }
    })
  }

  async readText(target: FsTarget, signal?: AbortSignal): Promise<string> {
    const bytes = await this.readBytes(target, signal, constants.MAX_STRING_LENGTH)
    const reader = new TextReader(target.displayPath)
    return reader.take(bytes) + reader.end()
  }

  streamText(target: FsTarget, signal?: AbortSignal): Promise<AsyncIterable<string>> {
    // Opened by whoever begins to read it: nobody else would close it.
    return Promise.resolve(this.chunksOfText(target, signal))
  }

  readBytes(target: FsTarget, signal: AbortSignal | undefined, maxBytes: number): Promise<Uint8Array> {
    return this.doing('read', target.displayPath, async (files) => {
      const { bytes } = await files.read(filePathOf(target), maxBytes, { signal })
      return bytes
    })
  }

  listDir(target: FsTarget, signal?: AbortSignal): Promise<FsDirEntry[]> {
    return this.doing('list', target.displayPath, async (files) => {
      const entries = await files.list(filePathOf(target), maxEntries, { signal })
      return entries
        .map((entry): FsDirEntry => {
          const info = entry.info.kind === 'symlink' ? entry.target?.info : entry.info
          const facts = info === undefined ? { type: 'other' as const } : infoOf(info)
          return { name: entry.name, target: entryTarget(target, entry), ...facts }
        })
        .sort((one, other) => one.name.localeCompare(other.name))
    })
  }

  writeText(
    target: FsTarget,
    content: string,
    expected?: FsWriteIntent,
    signal?: AbortSignal,
  ): Promise<FsWriteOutcome> {
    return this.changes.write(target, content, expected, signal)
  }

  editText(
    target: FsTarget,
    edit: FsEditRequest,
    expected?: { version: FsVersion },
    signal?: AbortSignal,
  ): Promise<FsEditOutcome> {
    return this.changes.edit(target, edit, expected, signal)
  }

  private absolute(path: string, cwd: string | undefined): string {
    if (path.trim() === '') throw new FsError('file_path must be a non-empty string', 'FS_NOT_FOUND')
    return posix.resolve(this.world.cwd, cwd ?? '', path)
  }

  private async *chunksOfText(target: FsTarget, signal: AbortSignal | undefined): AsyncGenerator<string> {
    const { displayPath } = target
    const file = await this.doing('read', displayPath, (files): Promise<OpenFile> =>
      files.open(filePathOf(target), { signal }),
    )
    const reader = new TextReader(displayPath)
    try {
      for await (const chunk of file.chunks) yield reader.take(chunk)
      yield reader.end()
    } catch (error) {
      throw toFsError(error, 'read', displayPath)
    }
  }

  private async doing<Result>(
    verb: string,
    path: string,
    work: (files: ContainerFiles) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work(await this.files())
    } catch (error) {
      throw toFsError(error, verb, path)
    }
  }

  private async files(): Promise<ContainerFiles> {
    const { files } = await this.world.enter()
    return files
  }
}
