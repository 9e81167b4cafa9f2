import { join } from 'node:path'
import { repoDir } from './places.mjs'
import { poll } from './poll.mjs'
import { runTool } from './run-tool.mjs'

const settleTimeoutMs = 5000

/** @typedef {import('dsh-container').ManagedObject} ManagedObject */

/**
 * Looks at an engine before something runs, and then for what that has left behind: objects that were
 * not there, and whose owner does not live. What sessions share is not left by any of them.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {NodeJS.ProcessEnv} env names the engine
 * @param {AbortSignal} signal
 * @returns {Promise<() => Promise<ManagedObject[]>>} looks again, until nothing is left or its time is over
 */
export async function watchLeftovers({ node }, env, signal) {
  /** @returns {Promise<ManagedObject[]>} */
  const list = async () => {
    const program = join(repoDir, 'scripts/children/list-managed.mjs')
    return JSON.parse(await runTool(node, [program], { title: 'the look for leftovers', env, signal }))
  }
  const known = new Set((await list()).map(({ id }) => id))
  return async () => {
    /** @type {ManagedObject[]} */
    let left = []
    await poll(async () => {
      left = (await list()).filter(
        (object) => !known.has(object.id) && !['alive', 'shared'].includes(object.owner.state),
      )
      return left.length === 0
    }, settleTimeoutMs)
    return left
  }
}
