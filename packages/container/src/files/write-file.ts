import { decodeWritten } from './answer-payloads.ts'
import type { FilePath, WriteOptions, WrittenFile } from './container-files.ts'
import { aborted, type FileTask } from './file-error.ts'
import type { FileServer, Outcome } from './file-server.ts'
import { maxChunkBytes } from './files-protocol.ts'
import { HeldHandle } from './held-handle.ts'
import { requests } from './request-encoder.ts'

const defaultFileMode = 0o644

/** Pieces of content on their way, of 128 KiB each, before the first of them was written. */
const writeAhead = 4

/** Writes a draft and then has it take its place; on any failure the draft is discarded. */
export async function writeFile(
  server: FileServer,
  path: FilePath,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<WrittenFile> {
  const { guard, createParents = false, newFileMode = defaultFileMode, signal } = options
  const task: FileTask = { verb: 'write', path }
  const handle = await HeldHandle.take(server, task, signal)
  try {
    const sent: Promise<Outcome>[] = [handle.request(requests.create(handle.number, path, createParents))]
    for await (const piece of pieces(content, task, signal)) {
      sent.push(handle.request(requests.write(handle.number, piece)))
      const oldest = sent.length > writeAhead ? sent.shift() : undefined
      if (oldest !== undefined) await unlessAborted(oldest, task, signal)
    }
    if (signal?.aborted === true) throw aborted(task, signal.reason)
    // From here on it happens or not, whatever the caller wants by now.
    const commit = handle.request(requests.commit(handle.number, guard, newFileMode))
    for (const step of sent) await step
    return decodeWritten((await commit).payload)
  } finally {
    handle.letGo()
  }
}

/** The content in pieces that one request can carry. */
async function* pieces(
  content: Uint8Array | AsyncIterable<Uint8Array>,
  task: FileTask,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = content instanceof Uint8Array ? [content] : untilAborted(content, task, signal)
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += maxChunkBytes) yield chunk.subarray(at, at + maxChunkBytes)
  }
}

/** The same chunks; an abort does not wait for the next of them. */
async function* untilAborted(
  source: AsyncIterable<Uint8Array>,
  task: FileTask,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = source[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await unlessAborted(iterator.next(), task, signal)
      isOver = done === true
      if (done === true) return
      yield value
    }
  } finally {
    // Not awaited: it may be busy with the very chunk that nobody waits for any more.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

/** @throws `FILE_ABORTED` as soon as the signal says so */
async function unlessAborted<Value>(
  value: Promise<Value>,
  task: FileTask,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return value
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(aborted(task, signal.reason))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([value, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
