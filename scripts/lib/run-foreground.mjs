import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { stopSignals } from './interrupts.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * Runs a program with our own input, output and terminal, and waits for its end.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, cwd: string }} options
 * @returns {Promise<number>} its exit status; 128 and the number of the signal that ended it
 */
export async function runForeground(program, args, { env, cwd }) {
  const child = spawn(program, args, { env, cwd, stdio: 'inherit' })
  const forwarded = stopSignals.filter((name) => name === 'SIGTERM' || !isSentByTerminal())
  /** @param {NodeJS.Signals} name */
  const forward = (name) => child.kill(name)
  for (const name of forwarded) process.on(name, forward)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new SetupError(`cannot run ${program}: ${error.message}`)))
      child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    })
  } finally {
    for (const name of forwarded) process.off(name, forward)
  }
}

/** A terminal sends its interrupt and its hang-up to the whole group: the program has it already. */
function isSentByTerminal() {
  return [0, 1, 2].some((fd) => isatty(fd))
}
