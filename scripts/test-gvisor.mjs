// npm run test:gvisor [-- vitest arguments]: sets up what is missing, gVisor included, then runs the suite on it.
import { join } from 'node:path'
import { main } from './lib/main.mjs'
import { repoDir } from './lib/places.mjs'
import { prepareCheckout } from './lib/prepare.mjs'
import { runForeground } from './lib/run-foreground.mjs'
import { withTestEngine } from './lib/test-engine.mjs'
import { ensureGvisor, gvisorConfig } from './lib/test-tools.mjs'

const args = ['run', '--config', gvisorConfig, ...process.argv.slice(2)]

await main(async (context) => {
  const toolchain = await prepareCheckout(context)
  await ensureGvisor(context)
  const vitest = join(repoDir, 'node_modules/vitest/vitest.mjs')
  // One that runs already may have been started before gVisor was there.
  return withTestEngine(
    toolchain,
    context,
    (env) => runForeground(toolchain.node, [vitest, ...args], { env, cwd: repoDir }),
    { prefersOwn: true },
  )
})
