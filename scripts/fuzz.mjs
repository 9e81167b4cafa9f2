// npm run fuzz [-- SECONDS]: fuzzes the supervisor's frame parser, ten minutes by default. Installs clang where it can.
import { join } from 'node:path'
import { systemEnv } from './lib/child-env.mjs'
import { canInstallPackages, installPackages } from './lib/debian-packages.mjs'
import { main } from './lib/main.mjs'
import { isOnPath } from './lib/on-path.mjs'
import { runForeground } from './lib/run-foreground.mjs'
import { supervisorDir } from './lib/supervisor.mjs'

/** With its sanitizers and libFuzzer; which version is a matter of `docker/supervisor/build.sh`. */
const clang = 'clang-14'

await main(async ({ progress, signal }) => {
  const env = systemEnv(process.env)
  if (!isOnPath(clang, env) && canInstallPackages()) {
    await progress.step('Installing clang', () => installPackages([clang, 'libclang-rt-14-dev', 'libc6-dev'], signal))
  }
  return runForeground(join(supervisorDir, 'fuzz.sh'), process.argv.slice(2), { env, cwd: supervisorDir })
})
