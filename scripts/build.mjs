// Compiles the packages and puts the files beside them that are not code: `pnpm build`.
import { spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { repoDir } from './lib/places.mjs'

/** What a published package carries that lies elsewhere in the checkout. */
const assets = [{ from: 'docker/base', to: 'packages/container/assets/base' }]

const tsc = join(repoDir, 'node_modules/typescript/bin/tsc')
const compiled = spawnSync(process.execPath, [tsc, '--build', 'tsconfig.build.json'], {
  cwd: repoDir,
  stdio: 'inherit',
})
if (compiled.status !== 0) process.exit(compiled.status ?? 1)
for (const { from, to } of assets) await mirrorFolder(join(repoDir, from), join(repoDir, to))

/**
 * Makes `to` hold the same files as `from`. A file is replaced in one move, for a session may be
 * reading it.
 *
 * @param {string} from
 * @param {string} to
 */
async function mirrorFolder(from, to) {
  await mkdir(to, { recursive: true })
  const names = await readdir(from)
  for (const name of names) {
    const draft = join(to, `.${name}.${process.pid}`)
    await copyFile(join(from, name), draft)
    await chmod(draft, (await stat(join(from, name))).mode)
    await rename(draft, join(to, name))
  }
  const stale = (await readdir(to)).filter((name) => !name.startsWith('.') && !names.includes(name))
  for (const name of stale) await rm(join(to, name))
}
