import { join } from 'node:path'
import { repoDir } from './places.mjs'
import { poll } from './poll.mjs'
import { isAlive } from './process-identity.mjs'
import { runTool } from './run-tool.mjs'

const settleTimeoutMs = 5000

/**
 * Something on an engine that carries our label.
 *
 * @typedef {object} ManagedObject
 * @property {string} kind
 * @property {string} id
 * @property {string} name
 * @property {Record<string, string>} labels
 */

/**
 * Looks at an engine before something runs, and then for what that has left behind: objects that were
 * not there, and whose owner, as their labels name it, no longer lives.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {NodeJS.ProcessEnv} env names the engine
 * @param {AbortSignal} signal
 * @returns {Promise<() => Promise<ManagedObject[]>>} looks again, until nothing is left or its time is over
 */
export async function watchLeftovers({ node }, env, signal) {
  /** @returns {Promise<ManagedObject[]>} */
  const list = async () => {
    const program = join(repoDir, 'scripts/lib/list-managed.mjs')
    return JSON.parse(await runTool(node, [program], { title: 'the look for leftovers', env, signal }))
  }
  const known = new Set((await list()).map(({ id }) => id))
  return async () => {
    /** @type {ManagedObject[]} */
    let left = []
    await poll(async () => {
      left = (await list()).filter((object) => !known.has(object.id) && !hasLivingOwner(object))
      return left.length === 0
    }, settleTimeoutMs)
    return left
  }
}

/** @param {ManagedObject} object */
function hasLivingOwner({ labels }) {
  const pid = Number(labels['bash-docker.owner-pid'])
  const startTicks = labels['bash-docker.owner-start']
  return pid > 0 && isAlive(startTicks ? { pid, startTicks } : { pid })
}
