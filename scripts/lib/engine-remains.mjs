import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { poll } from './poll.mjs'
import { argumentsOf, isAlive, listProcesses, sendSignal } from './process-identity.mjs'

const deathTimeoutMs = 5000

/**
 * Clears what an engine of ours that did not end in order has left: dockerd itself when nothing
 * records it, containerd, the shims and processes of its containers, mounts below its folder, and the
 * files that would make dockerd believe that another one runs.
 *
 * @param {import('./engine-files.mjs').EngineFiles} files
 */
export async function clearRemains(files) {
  await killRemains(files)
  for (const mountPoint of mountsBelow(files.dir)) spawnSync('umount', ['--lazy', mountPoint], { stdio: 'ignore' })
  const containerdPidPath = join(files.execDir, 'containerd/containerd.pid')
  const stale = [files.socketPath, files.pidPath, files.recordPath, containerdPidPath]
  await Promise.all(stale.map((path) => rm(path, { force: true })))
}

/** @param {import('./engine-files.mjs').EngineFiles} files */
async function killRemains(files) {
  const processes = listProcesses()
  const own = processes.filter(({ pid }) => belongsTo(pid, files)).map(({ pid }) => pid)
  // A container's first process is its shim's child, and takes everything in the container with it.
  const doomed = processes.filter(({ pid, parent }) => own.includes(pid) || own.includes(parent))
  for (const identity of doomed) sendSignal(identity, 'SIGKILL')
  await poll(() => !doomed.some(isAlive), deathTimeoutMs)
}

/**
 * Only the programs of this engine are given its configuration, or paths below its exec folder.
 *
 * @param {number} pid
 * @param {import('./engine-files.mjs').EngineFiles} files
 */
function belongsTo(pid, { configPath, execDir }) {
  const [program = '', ...args] = argumentsOf(pid)
  const isEngineProgram = /^(dockerd|containerd|containerd-shim.*)$/.test(basename(program))
  return isEngineProgram && args.some((arg) => arg === configPath || arg.startsWith(execDir + sep))
}

/**
 * Mount points below a folder, the innermost first.
 *
 * @param {string} dir
 * @returns {string[]}
 */
function mountsBelow(dir) {
  // proc(5): the fifth field is the mount point, with white space and backslashes in octal.
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .map((point) => point.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8))))
  return points.filter((point) => point.startsWith(dir + sep)).reverse()
}
