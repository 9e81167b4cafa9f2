/**
 * What every step of set-up is given.
 *
 * @typedef {object} SetupContext
 * @property {import('./progress.mjs').Progress} progress
 * @property {AbortSignal} signal aborts with an `Interrupted` when we are asked to stop
 */

export {}
