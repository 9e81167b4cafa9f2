import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { systemEnv } from './child-env.mjs'
import { engineConfig } from './engine-files.mjs'
import { clearRemains } from './engine-remains.mjs'
import { pingEngine } from './ping-engine.mjs'
import { poll } from './poll.mjs'
import { argumentsOf, identify, isAlive, sendSignal } from './process-identity.mjs'
import { SetupError } from './setup-error.mjs'
import { writeWhole } from './write-whole.mjs'

const startTimeoutMs = 60_000
/** dockerd gives its containers 15 s. */
const endTimeoutMs = 30_000
const shownLogLines = 15
/** `sun_path` of unix(7), with its NUL; containerd's longest socket lies 38 bytes below our folder. */
const longestDirBytes = 107 - 38

/**
 * Starts dockerd, in a session of its own so that it outlives us, and waits until it answers. The caller holds
 * the engine's lock.
 *
 * @param {import('./engine-files.mjs').EngineFiles} files
 * @param {AbortSignal} signal ends the wait; the engine goes on, and `stopEngine` ends it
 */
export async function startEngine(files, signal) {
  if (Buffer.byteLength(files.dir) > longestDirBytes) {
    throw new SetupError(`the path of the engine's folder is too long for its sockets: ${files.dir}`, {
      hint: 'Set XDG_STATE_HOME to a shorter one.',
    })
  }
  const running = await findEngine(files)
  if (running === undefined) await clearRemains(files)
  const engine = running ?? (await spawnEngine(files))
  const answers = await poll(async () => !isAlive(engine) || pingEngine(files.socketPath), startTimeoutMs, signal)
  if (answers && isAlive(engine)) return
  const log = await readFile(files.logPath, 'utf8')
  const what = isAlive(engine) ? `does not answer within ${startTimeoutMs / 1000} s` : 'ended while it started'
  throw new SetupError(`the private engine ${what}; its log is ${files.logPath}`, {
    output: log.trimEnd().split('\n').slice(-shownLogLines).join('\n'),
  })
}

/**
 * Ends the engine and everything that runs in it; its images stay. The caller holds its lock.
 *
 * @param {import('./engine-files.mjs').EngineFiles} files
 * @returns {Promise<boolean>} whether one was running
 */
export async function stopEngine(files) {
  if (!existsSync(files.dir)) return false
  const engine = await findEngine(files)
  if (engine !== undefined) {
    sendSignal(engine, 'SIGTERM')
    if (!(await poll(() => !isAlive(engine), endTimeoutMs))) sendSignal(engine, 'SIGKILL')
  }
  await clearRemains(files)
  return engine !== undefined
}

/** @param {import('./engine-files.mjs').EngineFiles} files */
async function spawnEngine(files) {
  await mkdir(files.dir, { recursive: true })
  await chmod(files.dir, 0o700)
  await writeFile(files.configPath, JSON.stringify(engineConfig(files), undefined, 2))
  const log = openSync(files.logPath, 'w', 0o600)
  const child = spawn('dockerd', ['--config-file', files.configPath], {
    cwd: '/',
    env: systemEnv(process.env),
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => reject(new SetupError(`dockerd cannot be run: ${error.message}`)))
  })
  const engine = identify(/** @type {number} */ (child.pid))
  await writeWhole(files.recordPath, JSON.stringify(engine))
  return engine
}

/**
 * The process that we started, when it still runs.
 *
 * @param {import('./engine-files.mjs').EngineFiles} files
 * @returns {Promise<import('./process-identity.mjs').ProcessIdentity | undefined>}
 */
async function findEngine(files) {
  const [record, pidFile] = await Promise.all(
    [files.recordPath, files.pidPath].map((path) => readFile(path, 'utf8').catch(() => '')),
  )
  // Who started it may have been killed before it could record it; dockerd itself writes its number.
  const engine = record ? JSON.parse(record) : identify(Number(pidFile))
  return isAlive(engine) && argumentsOf(engine.pid).includes(files.configPath) ? engine : undefined
}
