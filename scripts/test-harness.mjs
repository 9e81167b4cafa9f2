// npm run test:harness [-- vitest arguments]: sets up what is missing, DeepSeek Harness included, then runs that
// program with the bundle.
import { join } from 'node:path'
import { ensureDsh } from './lib/dsh-program.mjs'
import { main } from './lib/main.mjs'
import { repoDir } from './lib/places.mjs'
import { prepareCheckout } from './lib/prepare.mjs'
import { runForeground } from './lib/run-foreground.mjs'
import { withTestEngine } from './lib/test-engine.mjs'

const args = ['run', '--config', 'test/harness/vitest.config.ts', ...process.argv.slice(2)]

await main(async (context) => {
  const toolchain = await prepareCheckout(context)
  const program = await ensureDsh(toolchain, context)
  const vitest = join(repoDir, 'node_modules/vitest/vitest.mjs')
  return withTestEngine(toolchain, context, (env) =>
    runForeground(toolchain.node, [vitest, ...args], { env: { ...env, BASH_DOCKER_DSH: program }, cwd: repoDir }),
  )
})
