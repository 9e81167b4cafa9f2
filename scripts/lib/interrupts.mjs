import { Interrupted } from './setup-error.mjs'

/** @type {NodeJS.Signals[]} */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Turns the first signal that asks us to stop into an abort, so that set-up ends what it has started
 * before it exits.
 *
 * @returns {{ signal: AbortSignal, release: () => void }}
 */
export function abortOnInterrupt() {
  const controller = new AbortController()
  /** @param {NodeJS.Signals} name */
  const onSignal = (name) => controller.abort(new Interrupted(name))
  for (const name of stopSignals) process.on(name, onSignal)
  return {
    signal: controller.signal,
    release: () => {
      for (const name of stopSignals) process.off(name, onSignal)
    },
  }
}
