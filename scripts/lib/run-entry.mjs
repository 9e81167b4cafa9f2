import { join } from 'node:path'
import { toolEnv } from './child-env.mjs'
import { ensureSomeEngine } from './ensure-engine.mjs'
import { main } from './main.mjs'
import { repoDir } from './places.mjs'
import { prepareCheckout } from './prepare.mjs'
import { runForeground } from './run-foreground.mjs'
import { ensureSupervisorByEngine } from './supervisor-by-engine.mjs'

/**
 * Sets up what is missing, an engine included, then runs a TypeScript program of the checkout on the
 * build, with this script's own arguments.
 *
 * @param {string} entry path in the checkout
 */
export function runEntry(entry) {
  return main(async (context) => {
    const toolchain = await prepareCheckout(context)
    await ensureSomeEngine(toolchain, context)
    await ensureSupervisorByEngine(toolchain, context)
    return runForeground(toolchain.node, [join(repoDir, entry), ...process.argv.slice(2)], {
      env: toolEnv(process.env, toolchain.binDirs),
      cwd: repoDir,
    })
  })
}
