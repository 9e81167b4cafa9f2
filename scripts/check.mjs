// pnpm check: formatting, lint, types, unused code and package exports.
import { main } from './lib/main.mjs'
import { prepareCheckout } from './lib/prepare.mjs'
import { runChecks } from './lib/run-checks.mjs'

await main(async (context) => {
  const toolchain = await prepareCheckout(context)
  return (await runChecks(toolchain, context.signal)) === 0 ? 0 : 1
})
