import type { SandboxError } from 'dsh-bash-error'
import { aborted, type FileTask } from './file-error.ts'
import { handleCount } from './files-protocol.ts'

interface Waiter {
  readonly resolve: (handle: number) => void
  readonly reject: (error: SandboxError) => void
}

/** The numbers of what is open in one file server; who finds none free waits its turn. */
export class HandleTable {
  private readonly free = Array.from({ length: handleCount }, (_, index) => handleCount - 1 - index)
  private readonly waiters = new Set<Waiter>()
  private closedBy: SandboxError | undefined

  /** @throws `FILE_ABORTED`, or why the server has ended */
  take(task: FileTask, signal?: AbortSignal): Promise<number> {
    if (this.closedBy !== undefined) return Promise.reject(this.closedBy)
    if (signal?.aborted === true) return Promise.reject(aborted(task, signal.reason))
    const handle = this.free.pop()
    if (handle !== undefined) return Promise.resolve(handle)
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const waiter = { resolve, reject }
    const onAbort = (): void => {
      this.waiters.delete(waiter)
      reject(aborted(task, signal?.reason))
    }
    this.waiters.add(waiter)
    signal?.addEventListener('abort', onAbort, { once: true })
    const settled = (): void => signal?.removeEventListener('abort', onAbort)
    promise.then(settled, settled)
    return promise
  }

  /** The server has closed it. */
  giveBack(handle: number): void {
    const [next] = this.waiters
    if (next === undefined) {
      this.free.push(handle)
      return
    }
    this.waiters.delete(next)
    next.resolve(handle)
  }

  close(error: SandboxError): void {
    this.closedBy = error
    for (const { reject } of this.waiters) reject(error)
    this.waiters.clear()
  }
}
