import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stateDir } from './places.mjs'

/**
 * Where one engine of our own keeps everything.
 *
 * @typedef {object} EngineFiles
 * @property {string} dir
 * @property {string} socketPath where it listens
 * @property {string} configPath its `daemon.json`: the host's own is for another engine
 * @property {string} dataDir images and containers; kept when it ends
 * @property {string} execDir state of running containers
 * @property {string} pidPath written by dockerd
 * @property {string} recordPath the process that we started
 * @property {string} logPath
 * @property {string} lockPath held while it is started or stopped
 */

/**
 * @param {'engine' | 'test-engine'} name
 * @returns {EngineFiles}
 */
export function engineFiles(name) {
  return filesIn(join(stateDir, name))
}

/**
 * @param {string} dir
 * @returns {EngineFiles}
 */
export function filesIn(dir) {
  return {
    dir,
    socketPath: join(dir, 'docker.sock'),
    configPath: join(dir, 'daemon.json'),
    dataDir: join(dir, 'data'),
    execDir: join(dir, 'exec'),
    pidPath: join(dir, 'dockerd.pid'),
    recordPath: join(dir, 'process.json'),
    logPath: join(dir, 'dockerd.log'),
    lockPath: `${dir}.lock`,
  }
}

/** Where Debian puts gVisor. */
const gvisorPath = '/usr/bin/runsc'

/** ptrace needs nothing of the machine. Sessions have no network; to make one itself it would want a namespace first. */
const gvisorRuntime = { path: gvisorPath, runtimeArgs: ['--platform=ptrace', '--network=none'] }

/**
 * The configuration of dockerd, as in `/etc/docker/daemon.json`.
 *
 * @param {EngineFiles} files
 */
export function engineConfig(files) {
  return {
    hosts: [`unix://${files.socketPath}`],
    // Whoever may use the socket is root; the folder is closed to others, and the socket too.
    group: 'root',
    'data-root': files.dataDir,
    'exec-root': files.execDir,
    pidfile: files.pidPath,
    'log-level': 'warn',
    ...(existsSync(gvisorPath) ? { runtimes: { runsc: gvisorRuntime } } : {}),
  }
}
