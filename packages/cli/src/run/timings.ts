/** What the time went into: the way to a session, then the command in it. */
export type Phase = 'connect' | 'image' | 'session' | 'command'

/** Milliseconds of each phase that there was. */
export type PhaseTimings = { [Name in Phase as `${Name}Ms`]?: number } & {
  /** From the start of this program. */
  totalMs: number
}

/** Measures the phases of a run; one ends where the next begins. */
export class Timings {
  private readonly phases: { [Name in Phase as `${Name}Ms`]?: number } = {}
  private current: { phase: Phase; sinceMs: number } | undefined
  private readonly nowMs: () => number

  /** @param nowMs milliseconds since the program started */
  constructor(nowMs: () => number = () => performance.now()) {
    this.nowMs = nowMs
  }

  begin(phase: Phase): void {
    this.end()
    this.current = { phase, sinceMs: this.nowMs() }
  }

  end(): void {
    if (this.current === undefined) return
    this.phases[`${this.current.phase}Ms`] = round(this.nowMs() - this.current.sinceMs)
    this.current = undefined
  }

  report(): PhaseTimings {
    return { ...this.phases, totalMs: round(this.nowMs()) }
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
