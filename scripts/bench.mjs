// npm run bench -- [options of test/bench/main.ts]: sets up what is missing, then measures the build.
import { join } from 'node:path'
import { toolEnv } from './lib/child-env.mjs'
import { ensureSomeEngine } from './lib/ensure-engine.mjs'
import { main } from './lib/main.mjs'
import { repoDir } from './lib/places.mjs'
import { prepareCheckout } from './lib/prepare.mjs'
import { runForeground } from './lib/run-foreground.mjs'

await main(async (context) => {
  const toolchain = await prepareCheckout(context)
  await ensureSomeEngine(toolchain, context)
  return runForeground(toolchain.node, [join(repoDir, 'test/bench/main.ts'), ...process.argv.slice(2)], {
    env: toolEnv(process.env, toolchain.binDirs),
    cwd: repoDir,
  })
})
