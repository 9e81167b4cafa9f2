import { ensureSupervisor } from './supervisor.mjs'
import { ensureToolchain } from './toolchain.mjs'
import { ensureWorkspace } from './workspace.mjs'

/**
 * What every command of the checkout needs first: the toolchain, the dependencies, the build, the supervisor.
 *
 * @param {import('./context.mjs').SetupContext} context
 * @returns {Promise<import('./toolchain.mjs').Toolchain>}
 */
export async function prepareCheckout(context) {
  const toolchain = await ensureToolchain(context)
  await ensureWorkspace(toolchain, context)
  await ensureSupervisor(context)
  return toolchain
}
