/** Set-up cannot go on. */
export class SetupError extends Error {
  /**
   * @param {string} message what failed, in one line
   * @param {{ hint?: string | undefined, output?: string | undefined }} [more] what to do about it; what the failed program printed
   */
  constructor(message, { hint, output } = {}) {
    super(message)
    this.name = 'SetupError'
    this.hint = hint
    this.output = output
  }
}

/** A signal asked us to stop, and everything that we had started has ended. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`interrupted by ${signal}`)
    this.name = 'Interrupted'
    this.signal = signal
  }
}
