/** How fast the world under test is. Knobs, so that a slow one needs no skipped test. */
export interface Timing {
  /** The `graceMs` that tests configure: long enough for a trap on TERM to run. */
  graceMs: number
  /**
   * How much later than the contract's own bound something may be seen, in milliseconds: spawn,
   * kill and proof on a busy machine.
   */
  slackMs: number
  /**
   * How much later than its bound an answer still counts as prompt, in milliseconds. Less than what an
   * executor that disclaims promptness waits, or its manifest is found untrue.
   */
  promptMs: number
  /** Milliseconds after which something that has to happen, without a bound of its own, counts as missing. */
  settleMs: number
  /** Milliseconds between two looks of a bounded poll. */
  pollMs: number
  /** Milliseconds for one test. */
  testMs: number
  /** Milliseconds for a test that moves much data or makes many commands. */
  heavyTestMs: number
}

/** Enough for a local executor and for a container on a machine with two processors. */
export const defaultTiming: Timing = {
  graceMs: 600,
  slackMs: 3000,
  promptMs: 3000,
  settleMs: 15_000,
  pollMs: 20,
  testMs: 60_000,
  heavyTestMs: 180_000,
}
