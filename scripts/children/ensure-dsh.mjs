// Installs the dsh program and prints where its script lies. Run by the tests that drive it.
import { ensureDsh } from '../lib/dsh-program.mjs'
import { main } from '../lib/main.mjs'
import { ensureToolchain } from '../lib/toolchain.mjs'

await main(async (context) => {
  process.stdout.write(await ensureDsh(await ensureToolchain(context), context))
  return 0
})
