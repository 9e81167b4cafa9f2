// npm run test:harness [-- vitest arguments]: sets up what is missing, then runs the whole program of DeepSeek Harness
// with our bundle, which `npm test` does too.
import { join } from 'node:path'
import { main } from './lib/main.mjs'
import { repoDir } from './lib/places.mjs'
import { prepareCheckout } from './lib/prepare.mjs'
import { runForeground } from './lib/run-foreground.mjs'
import { withTestEngine } from './lib/test-engine.mjs'

const args = ['run', 'test/harness', ...process.argv.slice(2)]

await main(async (context) => {
  const toolchain = await prepareCheckout(context)
  const vitest = join(repoDir, 'node_modules/vitest/vitest.mjs')
  return withTestEngine(toolchain, context, (env) =>
    runForeground(toolchain.node, [vitest, ...args], { env, cwd: repoDir }),
  )
})
