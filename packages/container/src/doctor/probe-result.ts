export type ProbeStatus = 'ok' | 'warning' | 'failed' | 'unknown'

/** What came of one probe: of an engine's own account of itself, or of a try. Plain JSON values. */
export interface ProbeResult {
  /** Stable, kebab-case. */
  readonly name: string
  /**
   * `failed`: a session would not start, or would lack what it promises. `warning`: it works, and
   * there is something to know. `unknown`: nothing here could tell.
   */
  readonly status: ProbeStatus
  /** For people, one sentence. */
  readonly detail: string
  /** What to do about it. */
  readonly hint?: string
}

/** What a probe finds; its name is the probe's. */
export type Finding = Omit<ProbeResult, 'name'>
