import { spawn } from 'node:child_process'
import { SetupError } from './setup-error.mjs'

const keptChars = 262_144

/**
 * @typedef {object} ToolOptions
 * @property {string} title for people, as in "TITLE failed"
 * @property {NodeJS.ProcessEnv} env
 * @property {AbortSignal} signal ends the program; its reason is the `Interrupted` to throw
 * @property {string} [cwd]
 */

/**
 * Runs a program of set-up and waits for it. It has no input, a process group of its own, so that one
 * interrupt reaches it once and through us, and what it prints is shown only when it fails.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {ToolOptions} options
 * @returns {Promise<string>} what it wrote to standard output, the end of it when it is long
 * @throws {SetupError} when it cannot be run or fails
 */
export async function runTool(program, args, { title, env, signal, cwd }) {
  signal.throwIfAborted()
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const stdout = keepTail(child.stdout)
  const stderr = keepTail(child.stderr)
  const onAbort = () => {
    if (child.pid !== undefined) process.kill(-child.pid, signal.reason.signal)
  }
  signal.addEventListener('abort', onAbort)
  /** @type {{ code: number | null, signal: NodeJS.Signals | null } | { error: Error }} */
  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }))
    child.once('close', (code, endSignal) => resolve({ code, signal: endSignal }))
  })
  signal.removeEventListener('abort', onAbort)
  signal.throwIfAborted()
  if ('error' in end) throw new SetupError(`${title} cannot be run: ${end.error.message}`)
  if (end.code === 0) return stdout()
  const outcome = end.signal === null ? `exit status ${end.code}` : end.signal
  throw new SetupError(`${title} failed (${outcome})`, {
    output: `${stdout()}${stderr()}`.trim(),
  })
}

/**
 * @param {import('node:stream').Readable} stream
 * @returns {() => string} the end of what it gave so far
 */
function keepTail(stream) {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk) => {
    text = (text + chunk).slice(-keptChars)
  })
  return () => text
}
