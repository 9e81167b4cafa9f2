import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'

const tickMs = 1000
const eraseLine = '\r\u001b[K'

/**
 * What set-up is doing, on standard error: one line that is kept up to date on a terminal, one plain
 * line a step elsewhere.
 *
 * Written with `writeSync`: opening `process.stderr` or `process.stdin` would make a pipe
 * non-blocking for the command that shares it with us.
 */
export class Progress {
  #onTerminal = isatty(2) && process.env.TERM !== 'dumb'
  #coloured = this.#onTerminal && !process.env.NO_COLOR
  /** @type {NodeJS.Timeout | undefined} */
  #ticker

  /**
   * Shows a step for as long as it runs.
   *
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} run
   * @returns {Promise<T>}
   */
  async step(name, run) {
    this.#begin(name)
    try {
      return await run()
    } finally {
      this.#end()
    }
  }

  /**
   * A line that stays.
   *
   * @param {string} text
   */
  say(text) {
    write(`${this.#onTerminal ? eraseLine : ''}bash-docker: ${text}\n`)
  }

  /** @param {string} name */
  #begin(name) {
    if (!this.#onTerminal) return this.say(name)
    const startMs = performance.now()
    const draw = () => {
      const elapsed = `${Math.floor((performance.now() - startMs) / 1000)} s`
      write(`${eraseLine}bash-docker: ${name} … ${this.#coloured ? `\u001b[2m${elapsed}\u001b[22m` : elapsed}`)
    }
    draw()
    this.#ticker = setInterval(draw, tickMs)
  }

  #end() {
    if (this.#ticker === undefined) return
    clearInterval(this.#ticker)
    this.#ticker = undefined
    write(eraseLine)
  }
}

/** @param {string} text */
function write(text) {
  try {
    writeSync(2, text)
  } catch {
    // Nobody reads it, or not fast enough: progress is not worth failing for.
  }
}
