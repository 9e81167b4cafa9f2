import { readdirSync, readFileSync } from 'node:fs'

/**
 * One process, told apart from a later one with the same number.
 *
 * @typedef {object} ProcessIdentity
 * @property {number} pid
 * @property {string} [startTicks] clock ticks from boot to its start; absent where there is no /proc
 */

/**
 * @param {number} pid
 * @returns {ProcessIdentity}
 */
export function identify(pid) {
  const startTicks = readStat(pid)?.startTicks
  return startTicks === undefined ? { pid } : { pid, startTicks }
}

/**
 * Whether the process runs. A zombie does not.
 *
 * @param {ProcessIdentity} identity
 */
export function isAlive({ pid, startTicks }) {
  if (startTicks !== undefined) return readStat(pid)?.startTicks === startTicks
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/**
 * Signals a process unless it has ended.
 *
 * @param {ProcessIdentity} identity
 * @param {NodeJS.Signals} signal
 */
export function sendSignal(identity, signal) {
  if (!isAlive(identity)) return
  try {
    process.kill(identity.pid, signal)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}

/**
 * Its argument vector; empty when it is gone.
 *
 * @param {number} pid
 * @returns {string[]}
 */
export function argumentsOf(pid) {
  const text = readProc(pid, 'cmdline') ?? ''
  return text.split('\0').slice(0, -1)
}

/**
 * Every process that /proc shows.
 *
 * @returns {(ProcessIdentity & { parent: number })[]}
 */
export function listProcesses() {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.flatMap((pid) => {
    const stat = readStat(pid)
    return stat === undefined ? [] : [{ pid, ...stat }]
  })
}

/**
 * @param {number} pid
 * @returns {{ parent: number, startTicks: string } | undefined} undefined when it has ended
 */
function readStat(pid) {
  const stat = readProc(pid, 'stat')
  if (stat === undefined) return undefined
  // proc(5): field 2 is the name in parentheses, which may hold anything; then state, parent, …; field 22 is the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent] = fields
  return state === 'Z' ? undefined : { parent: Number(parent), startTicks: fields[19] ?? '' }
}

/**
 * @param {number} pid
 * @param {string} file
 */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined // Gone, or there is no /proc.
  }
}
