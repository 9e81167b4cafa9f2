// npm start -- [options] -- COMMAND: sets up what is missing, then `bash-docker run` with the same arguments.
import { join } from 'node:path'
import { callerEnv } from './lib/child-env.mjs'
import { engineFiles } from './lib/engine-files.mjs'
import { stopEngine } from './lib/engine-process.mjs'
import { ensureSomeEngine } from './lib/ensure-engine.mjs'
import { withLock } from './lib/lock.mjs'
import { main } from './lib/main.mjs'
import { repoDir } from './lib/places.mjs'
import { prepareCheckout } from './lib/prepare.mjs'
import { runForeground } from './lib/run-foreground.mjs'
import { needsDiscovery } from './lib/start-arguments.mjs'
import { ensureSupervisorByEngine } from './lib/supervisor-by-engine.mjs'

const args = process.argv.slice(2)
const files = engineFiles('engine')

await main(async (context) => {
  if (args.length === 1 && args[0] === '--stop-engine') {
    const stopped = await withLock(files.lockPath, context, () => stopEngine(files))
    context.progress.say(stopped ? 'the private engine has ended' : 'no private engine is running')
    return 0
  }
  const toolchain = await prepareCheckout(context)
  if (needsDiscovery(args)) {
    await ensureSomeEngine(toolchain, context)
    await ensureSupervisorByEngine(toolchain, context)
  }
  context.signal.throwIfAborted()
  return runForeground(toolchain.node, [join(repoDir, 'packages/cli/dist/main.js'), 'run', ...args], {
    env: callerEnv(process.env),
    // npm changes into the checkout; the command belongs to the caller's folder.
    cwd: process.env.INIT_CWD ?? process.cwd(),
  })
})
