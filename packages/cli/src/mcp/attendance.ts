/** For how long a client may be silent, in milliseconds. */
export interface AttendanceTerms {
  /** A client that never held a stream open, and may only be thinking. */
  readonly idleMs: number
  /** A client that held one and lost it. */
  readonly reconnectMs: number
}

/** Watches whether a client is still there: it is while a request or a stream of it is open. */
export class Attendance {
  private readonly terms: AttendanceTerms
  private readonly onAbsent: () => void
  private openCount = 0
  private hadStream = false
  private timer: NodeJS.Timeout | undefined

  constructor(terms: AttendanceTerms, onAbsent: () => void) {
    this.terms = terms
    this.onAbsent = onAbsent
  }

  /**
   * A request has come.
   *
   * @param isStream whether it is one that a client keeps open as long as it is there
   * @returns to be called when it has ended
   */
  enter(isStream: boolean): () => void {
    clearTimeout(this.timer)
    this.openCount += 1
    return () => {
      this.openCount -= 1
      this.hadStream ||= isStream
      if (this.openCount > 0) return
      const { idleMs, reconnectMs } = this.terms
      this.timer = setTimeout(this.onAbsent, this.hadStream ? Math.min(reconnectMs, idleMs) : idleMs)
    }
  }

  /** Nobody waits for the client any more. */
  end(): void {
    clearTimeout(this.timer)
    this.openCount = Number.POSITIVE_INFINITY
  }
}
