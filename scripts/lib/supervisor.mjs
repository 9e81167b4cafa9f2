import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { systemEnv } from './child-env.mjs'
import { canInstallPackages, installPackages } from './debian-packages.mjs'
import { repoDir } from './places.mjs'
import { runTool } from './run-tool.mjs'
import { fingerprint, isStamped } from './stamp.mjs'
import { writeWhole } from './write-whole.mjs'

/**
 * What `docker/supervisor/build.sh` needs for one processor.
 *
 * @type {Partial<Record<NodeJS.Architecture, { target: string, compiler: string, packages: string[] }>>}
 */
const builds = {
  x64: { target: 'amd64', compiler: 'musl-gcc', packages: ['musl-tools', 'gcc', 'libc6-dev'] },
  arm64: { target: 'arm64', compiler: 'aarch64-linux-gnu-gcc', packages: ['gcc', 'libc6-dev'] },
}

/**
 * Builds the supervisor for this machine's processor and puts it beside `dsh-container`, unless it is there.
 * Where it cannot be built the package has none, which a session that wants it says.
 *
 * @param {import('./context.mjs').SetupContext} context
 */
export async function ensureSupervisor({ progress, signal }) {
  const build = builds[process.arch]
  if (process.platform !== 'linux' || build === undefined) return
  const { target, compiler, packages } = build
  const program = join(repoDir, `packages/container/assets/supervisor/supervisor-${target}`)
  const stampPath = join(repoDir, 'node_modules/.cache/bash-docker/supervisor')
  const sourceDir = join(repoDir, 'docker/supervisor')
  const value = await fingerprint(repoDir, [sourceDir], [target])
  if (existsSync(program) && (await isStamped(stampPath, value))) return
  const env = systemEnv(process.env)
  if (!isOnPath(compiler, env)) {
    if (!canInstallPackages()) return
    await progress.step('Installing a C compiler', () => installPackages(packages, signal))
  }
  await progress.step('Building the supervisor', async () => {
    await mkdir(join(program, '..'), { recursive: true })
    const draft = `${program}.${process.pid}`
    try {
      await runTool(join(sourceDir, 'build.sh'), [target, draft], { title: 'the supervisor', env, signal })
      await rename(draft, program)
    } finally {
      await rm(draft, { force: true })
    }
  })
  await writeWhole(stampPath, value)
}

/**
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 */
function isOnPath(program, { PATH = '' }) {
  return PATH.split(delimiter).some((dir) => existsSync(join(dir, program)))
}
