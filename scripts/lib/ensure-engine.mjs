import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toolEnv } from './child-env.mjs'
import { canInstallPackages, installPackages } from './debian-packages.mjs'
import { engineFiles } from './engine-files.mjs'
import { startEngine } from './engine-process.mjs'
import { withLock } from './lock.mjs'
import { pingEngine } from './ping-engine.mjs'
import { repoDir } from './places.mjs'
import { runTool } from './run-tool.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * What the discovery of `dsh-container` says.
 *
 * @typedef {object} FoundEngine
 * @property {string | undefined} host of the engine that it would take
 * @property {boolean} isChosen somebody chose an engine, so that nothing else may take its place
 * @property {string[]} tried where there is none, and why
 */

/**
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {AbortSignal} signal
 * @returns {Promise<FoundEngine>}
 */
export async function findEngine({ node, binDirs }, signal) {
  const answer = await runTool(node, [join(repoDir, 'scripts/children/find-engine.mjs')], {
    title: 'the search for an engine',
    env: toolEnv(process.env, binDirs),
    signal,
  })
  return JSON.parse(answer)
}

/**
 * Makes sure that the discovery finds an engine, if need be by starting the private one. An engine that somebody chose and that
 * fails is left for whoever runs next to report: nothing else may take its place.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./context.mjs').SetupContext} context
 */
export async function ensureSomeEngine(toolchain, context) {
  const found = await findEngine(toolchain, context.signal)
  if (found.host === undefined && !found.isChosen) await ensurePrivateEngine(found, engineFiles('engine'), context)
}

/**
 * Starts an engine of our own, with Debian's docker.io. For where there is no other.
 *
 * @param {FoundEngine} found what there is
 * @param {import('./engine-files.mjs').EngineFiles} files
 * @param {import('./context.mjs').SetupContext} context
 */
export async function ensurePrivateEngine({ tried }, files, context) {
  const { progress, signal } = context
  if (await pingEngine(files.socketPath)) return
  if (!canInstallPackages()) {
    throw new SetupError('no Docker Engine was found, and only root on Debian can start one here', {
      hint: 'Start a Docker Engine, or name one by DOCKER_HOST or DOCKER_CONTEXT.',
      output: tried.join('\n'),
    })
  }
  await withLock(files.lockPath, context, async () => {
    if (await pingEngine(files.socketPath)) return
    if (!isInstalled('dockerd')) {
      // The engine lists a container's processes by the host's ps.
      await progress.step('Installing docker.io', () => installPackages(['docker.io', 'iptables', 'procps'], signal))
    }
    await progress.step('Starting a private engine', () => startEngine(files, signal))
  })
}

/** @param {string} program */
function isInstalled(program) {
  return ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'].some((dir) => existsSync(join(dir, program)))
}
