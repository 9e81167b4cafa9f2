import { ensureSupervisor, ownTarget } from './supervisor.mjs'
import { ensureToolchain } from './toolchain.mjs'
import { ensureWorkspace } from './workspace.mjs'

/**
 * What every command of the checkout needs first: the toolchain, the dependencies, the build, and the supervisor where
 * it can be compiled here.
 *
 * @param {import('./context.mjs').SetupContext} context
 * @returns {Promise<import('./toolchain.mjs').Toolchain>}
 */
export async function prepareCheckout(context) {
  const toolchain = await ensureToolchain(context)
  await ensureWorkspace(toolchain, context)
  if (ownTarget !== undefined) await ensureSupervisor(ownTarget, context)
  return toolchain
}
