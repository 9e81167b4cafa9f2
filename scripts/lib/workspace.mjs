import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { toolEnv } from './child-env.mjs'
import { withLock } from './lock.mjs'
import { cacheDir, repoDir } from './places.mjs'
import { runTool } from './run-tool.mjs'
import { fingerprint, isStamped } from './stamp.mjs'
import { writeWhole } from './write-whole.mjs'

/**
 * @typedef {object} Step
 * @property {string} stampPath
 * @property {string[]} inputs files and folders that decide the outcome
 * @property {string[]} outputs what must be there for a stamp to count
 * @property {() => Promise<unknown>} run
 */

/**
 * Installs the dependencies from the lockfile and builds the packages; at once when neither has
 * changed since the last time.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./context.mjs').SetupContext} context
 */
export async function ensureWorkspace(toolchain, context) {
  const packageDirs = await listPackageDirs()
  const install = installStep(packageDirs, toolchain, context)
  await ensure(install, context)
  await ensure(buildStep(packageDirs, install, toolchain, context), context)
}

/** @returns {Promise<string[]>} the folders of the packages that are published, absolute */
export async function listPackageDirs() {
  const names = await readdir(join(repoDir, 'packages'))
  return names.map((name) => join(repoDir, 'packages', name)).filter((dir) => existsSync(join(dir, 'package.json')))
}

/**
 * @param {string[]} packageDirs
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./context.mjs').SetupContext} context
 * @returns {Step}
 */
function installStep(packageDirs, { pnpm, binDirs }, { progress, signal }) {
  const testDir = join(repoDir, 'test')
  const projectDirs = [repoDir, testDir, ...packageDirs]
  const settings = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', 'scripts/toolchain.json']
  // Without `CI`, pnpm asks before it replaces a node_modules of another version, and nobody would answer.
  const env = { ...toolEnv(process.env, binDirs), CI: 'true' }
  return {
    stampPath: stampFor('install'),
    inputs: [...inRepo(settings), ...projectDirs.map((dir) => join(dir, 'package.json'))],
    outputs: [repoDir, testDir].map((dir) => join(dir, 'node_modules')),
    run: () =>
      progress.step('Installing the dependencies', () =>
        // The level of .npmrc would hide what went wrong.
        runTool(pnpm, ['install', '--frozen-lockfile', '--loglevel=info'], {
          title: 'pnpm install',
          cwd: repoDir,
          env,
          signal,
        }),
      ),
  }
}

/**
 * @param {string[]} packageDirs
 * @param {Step} install
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./context.mjs').SetupContext} context
 * @returns {Step}
 */
function buildStep(packageDirs, install, { node, binDirs }, { progress, signal }) {
  const sources = packageDirs.flatMap((dir) => [join(dir, 'tsconfig.json'), join(dir, 'src')])
  const settings = ['tsconfig.base.json', 'tsconfig.build.json', 'docker', 'scripts/build.mjs']
  return {
    stampPath: stampFor('build'),
    inputs: [...install.inputs, ...inRepo(settings), ...sources],
    outputs: packageDirs.map((dir) => join(dir, 'dist')),
    run: () =>
      progress.step('Building the packages', () =>
        runTool(node, [join(repoDir, 'scripts/build.mjs')], {
          title: 'the build',
          cwd: repoDir,
          env: toolEnv(process.env, binDirs),
          signal,
        }),
      ),
  }
}

/**
 * @param {Step} step
 * @param {import('./context.mjs').SetupContext} context
 */
async function ensure(step, context) {
  if (await isDone(step)) return
  const checkout = createHash('sha256').update(repoDir).digest('hex').slice(0, 16)
  await withLock(join(cacheDir, 'locks', checkout), context, async () => {
    if (await isDone(step)) return
    // Before the run: what changes while it runs is for the next time.
    const value = await fingerprint(repoDir, step.inputs)
    await step.run()
    await writeWhole(step.stampPath, value)
  })
}

/** @param {Step} step */
async function isDone({ stampPath, inputs, outputs }) {
  return outputs.every(existsSync) && (await isStamped(stampPath, await fingerprint(repoDir, inputs)))
}

/** @param {string} name */
function stampFor(name) {
  return join(repoDir, 'node_modules/.cache/bash-docker', name)
}

/** @param {string[]} names */
function inRepo(names) {
  return names.map((name) => join(repoDir, name))
}
