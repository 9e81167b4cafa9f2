import type { FileInfo, FilePath, OpenFile, ReadOptions } from './container-files.ts'
import { decodeInfo } from './answer-payloads.ts'
import { type FileTask, tooLarge } from './file-error.ts'
import type { FileServer, Outcome } from './file-server.ts'
import { maxChunkBytes } from './files-protocol.ts'
import { HeldHandle } from './held-handle.ts'
import { requests } from './request-encoder.ts'

/** Chunks that are asked for before the first of them is taken. */
const readAhead = 4

/** Opens a regular file and asks for its first chunk in the same breath. */
export async function openFile(server: FileServer, path: FilePath, options: ReadOptions): Promise<OpenFile> {
  const { offsetBytes = 0, lengthBytes = Number.MAX_SAFE_INTEGER, signal } = options
  requireBytes('offsetBytes', offsetBytes)
  requireBytes('lengthBytes', lengthBytes)
  const task: FileTask = { verb: 'read', path }
  const handle = await HeldHandle.take(server, task, signal)
  try {
    const opened = handle.request(requests.open(handle.number, path), signal)
    const chunks = new FileChunks(handle, offsetBytes, lengthBytes, signal)
    const info = decodeInfo((await opened).payload)
    chunks.expect(info.sizeBytes)
    return { info, chunks }
  } catch (error) {
    handle.letGo()
    throw error
  }
}

/** The whole of a file, or of a part of it, of at most `maxBytes`. */
export async function readFile(
  server: FileServer,
  path: FilePath,
  maxBytes: number,
  options: ReadOptions,
): Promise<{ info: FileInfo; bytes: Uint8Array }> {
  requireBytes('maxBytes', maxBytes)
  const wantedBytes = options.lengthBytes ?? Number.MAX_SAFE_INTEGER
  const { info, chunks } = await openFile(server, path, {
    ...options,
    lengthBytes: Math.min(wantedBytes, maxBytes + 1),
  })
  const taken: Uint8Array[] = []
  let takenBytes = 0
  for await (const chunk of chunks) {
    taken.push(chunk)
    takenBytes += chunk.length
    if (takenBytes > maxBytes) throw tooLarge({ verb: 'read', path }, { maxBytes })
  }
  return { info, bytes: taken.length === 1 && taken[0] !== undefined ? taken[0] : Buffer.concat(taken, takenBytes) }
}

interface Asked {
  readonly outcome: Promise<Outcome>
  readonly byteCount: number
}

/** Reads on as its chunks are taken; never holds more than a few of them. */
class FileChunks implements AsyncIterableIterator<Uint8Array> {
  private readonly asked: Asked[] = []
  private nextBytes: number
  private readonly endBytes: number
  private expectedEndBytes = 0
  private isOver = false
  private readonly handle: HeldHandle
  private readonly signal: AbortSignal | undefined

  constructor(handle: HeldHandle, offsetBytes: number, lengthBytes: number, signal: AbortSignal | undefined) {
    this.handle = handle
    this.nextBytes = offsetBytes
    this.endBytes = Math.min(offsetBytes + lengthBytes, Number.MAX_SAFE_INTEGER)
    this.signal = signal
    this.ask()
  }

  /** Up to there it is asked for ahead; past it, in case the file has grown, one chunk at a time. */
  expect(sizeBytes: number): void {
    this.expectedEndBytes = sizeBytes
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.isOver) return { done: true, value: undefined }
    try {
      if (this.asked.length === 0) this.ask()
      while (this.asked.length < readAhead && this.nextBytes < this.expectedEndBytes && this.ask());
      const first = this.asked.shift()
      if (first === undefined) return await this.return()
      const { payload } = await first.outcome
      // The file ends here, or ended while it was read.
      if (payload.length < first.byteCount) this.finish()
      return payload.length === 0 ? await this.return() : { done: false, value: payload }
    } catch (error) {
      this.finish()
      throw error
    }
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.finish()
    return Promise.resolve({ done: true, value: undefined })
  }

  private finish(): void {
    this.isOver = true
    this.asked.length = 0
    this.handle.letGo()
  }

  private ask(): boolean {
    const byteCount = Math.min(maxChunkBytes, this.endBytes - this.nextBytes)
    if (byteCount <= 0) return false
    const outcome = this.handle.request(requests.read(this.handle.number, this.nextBytes, byteCount), this.signal)
    this.asked.push({ outcome, byteCount })
    this.nextBytes += byteCount
    return true
  }
}

function requireBytes(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name} is no number of bytes: ${value}`)
}
