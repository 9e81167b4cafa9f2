import { constants } from 'node:os'
import { abortOnInterrupt } from './interrupts.mjs'
import { Progress } from './progress.mjs'
import { Interrupted, SetupError } from './setup-error.mjs'

/** As of `docker run` and `env`: the command could not be run. */
const setupFailedStatus = 125

/**
 * Runs a script of the checkout and sets the exit status: what it returns, 125 when set-up fails,
 * 128 and the signal's number when it was interrupted.
 *
 * @param {(context: import('./context.mjs').SetupContext) => Promise<number>} run
 */
export async function main(run) {
  const progress = new Progress()
  const { signal, release } = abortOnInterrupt()
  try {
    process.exitCode = await run({ progress, signal })
  } catch (error) {
    process.exitCode = report(error, progress)
  } finally {
    release()
  }
}

/**
 * @param {unknown} error
 * @param {Progress} progress
 * @returns {number} the exit status
 */
function report(error, progress) {
  if (error instanceof Interrupted) return 128 + constants.signals[error.signal]
  const failure = isSystemError(error) ? new SetupError(error.message) : error
  if (!(failure instanceof SetupError)) throw failure
  const { message, hint, output } = failure
  if (output) for (const line of output.split('\n')) progress.say(`  ${line}`)
  progress.say(hint === undefined ? message : `${message}. ${hint}`)
  return setupFailedStatus
}

/**
 * Whether the operating system refused something: a full disk, a folder that is closed to us.
 *
 * @param {unknown} error
 * @returns {error is NodeJS.ErrnoException}
 */
function isSystemError(error) {
  return error instanceof Error && 'syscall' in error
}
