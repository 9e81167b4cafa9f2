// npm run pack [-- FOLDER]: packs every public package as it is published, with the supervisor for every processor.
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { toolEnv } from './lib/child-env.mjs'
import { main } from './lib/main.mjs'
import { repoDir } from './lib/places.mjs'
import { prepareCheckout } from './lib/prepare.mjs'
import { runForeground } from './lib/run-foreground.mjs'
import { selfContain } from './lib/self-contained.mjs'
import { SetupError } from './lib/setup-error.mjs'
import { ensureSupervisor, isSupervisorBuilt } from './lib/supervisor.mjs'

const folder = resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? 'packed')

await main(async (context) => {
  const { pnpm, binDirs } = await prepareCheckout(context)
  for (const target of /** @type {const} */ (['amd64', 'arm64'])) {
    await ensureSupervisor(target, context)
    if (await isSupervisorBuilt(target)) continue
    throw new SetupError(`there is no supervisor for ${target}, and nothing here to build it with`)
  }
  await mkdir(folder, { recursive: true })
  const args = ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', folder]
  const status = await runForeground(pnpm, args, { env: toolEnv(process.env, binDirs), cwd: repoDir })
  // A plugin of a harness is added as one file.
  if (status === 0) await selfContain(folder, 'dsh-sandbox-docker', context.signal)
  return status
})
