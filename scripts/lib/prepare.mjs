import { ensureToolchain } from './toolchain.mjs'
import { ensureWorkspace } from './workspace.mjs'

/**
 * What every command of the checkout needs first: the toolchain, the dependencies, the build.
 *
 * @param {import('./context.mjs').SetupContext} context
 * @returns {Promise<import('./toolchain.mjs').Toolchain>}
 */
export async function prepareCheckout(context) {
  const toolchain = await ensureToolchain(context)
  await ensureWorkspace(toolchain, context)
  return toolchain
}
