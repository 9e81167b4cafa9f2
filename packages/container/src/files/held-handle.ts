import type { FileTask } from './file-error.ts'
import type { FileServer, Outcome } from './file-server.ts'
import { type FileRequest, requests } from './request-encoder.ts'

/** One handle of a file server, from when it is taken until the server has closed it. */
export class HeldHandle {
  readonly number: number
  private readonly server: FileServer
  private readonly task: FileTask
  private isLetGo = false

  private constructor(server: FileServer, task: FileTask, number: number) {
    this.server = server
    this.task = task
    this.number = number
  }

  static async take(server: FileServer, task: FileTask, signal?: AbortSignal): Promise<HeldHandle> {
    return new HeldHandle(server, task, await server.handles.take(task, signal))
  }

  /** Sends a request; a failure that nobody waits for is no unhandled rejection. */
  request(request: FileRequest, signal?: AbortSignal): Promise<Outcome> {
    const outcome = this.server.request(this.task, request, signal)
    outcome.catch(() => undefined)
    return outcome
  }

  /** Closes it, whether or not its opening succeeded; a draft leaves nothing. May be called again. */
  letGo(): void {
    if (this.isLetGo) return
    this.isLetGo = true
    const giveBack = (): void => this.server.handles.giveBack(this.number)
    // A server that has ended has closed all of them.
    this.request(requests.close(this.number)).then(giveBack, () => undefined)
  }
}
