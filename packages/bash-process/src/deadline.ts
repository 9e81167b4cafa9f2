/** Which of the two ended a command first. */
export type DeadlineCause = 'timeout' | 'abort'

/**
 * The one deadline of a command: the caller's abort signal from {@link watch} on, the timer from
 * {@link arm} on. It fires at most once and names the first cause.
 */
export class Deadline implements Disposable {
  private firstCause: DeadlineCause | undefined
  private timer: NodeJS.Timeout | undefined
  private readonly signal: AbortSignal | undefined
  private readonly onExpire: (cause: DeadlineCause) => void
  private readonly onAbort = (): void => this.expire('abort')

  constructor(signal: AbortSignal | undefined, onExpire: (cause: DeadlineCause) => void) {
    this.signal = signal
    this.onExpire = onExpire
  }

  /** Starts to listen to the caller's signal; one that has aborted already expires at once. */
  watch(): void {
    if (this.signal?.aborted === true) this.expire('abort')
    else this.signal?.addEventListener('abort', this.onAbort, { once: true })
  }

  get cause(): DeadlineCause | undefined {
    return this.firstCause
  }

  /** Starts the timer. The time a command waits for its world does not count against it. */
  arm(timeoutMs: number): void {
    if (this.firstCause !== undefined) return
    this.timer = setTimeout(() => this.expire('timeout'), timeoutMs)
  }

  /** From now on nothing expires: the command has ended by itself. */
  [Symbol.dispose](): void {
    clearTimeout(this.timer)
    this.signal?.removeEventListener('abort', this.onAbort)
  }

  private expire(cause: DeadlineCause): void {
    if (this.firstCause !== undefined) return
    this.firstCause = cause
    this[Symbol.dispose]()
    this.onExpire(cause)
  }
}
