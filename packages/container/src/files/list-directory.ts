import { decodeCount, decodeEntry, type ListedEntry } from './answer-payloads.ts'
import type { DirectoryEntry, FilePath } from './container-files.ts'
import { type FileTask, tooLarge } from './file-error.ts'
import type { FileServer } from './file-server.ts'
import { HeldHandle } from './held-handle.ts'
import { requests } from './request-encoder.ts'

/** A directory's entries, by the bytes of their names. */
export async function listDirectory(
  server: FileServer,
  path: FilePath,
  maxEntries: number,
  signal: AbortSignal | undefined,
): Promise<DirectoryEntry[]> {
  const task: FileTask = { verb: 'list', path }
  const handle = await HeldHandle.take(server, task, signal)
  try {
    const opened = handle.request(requests.openDirectory(handle.number, path), signal)
    const ask = () => handle.request(requests.list(handle.number), signal)
    const listed: ListedEntry[] = []
    // The answer that there are no more is on its way before the entries are here.
    let [answer, following] = [ask(), ask()]
    await opened
    for (;;) {
      const { payload, entries } = await answer
      if (decodeCount(payload) === 0) break
      for (const entry of entries) listed.push(decodeEntry(entry))
      if (listed.length > maxEntries) throw tooLarge(task, { maxEntries })
      answer = following
      following = ask()
    }
    return listed.toSorted((left, right) => Buffer.compare(left.sortBytes, right.sortBytes)).map(({ entry }) => entry)
  } finally {
    handle.letGo()
  }
}
