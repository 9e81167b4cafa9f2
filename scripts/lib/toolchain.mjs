import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toolEnv } from './child-env.mjs'
import { cacheDir, repoDir } from './places.mjs'
import { runTool } from './run-tool.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * @typedef {object} Toolchain
 * @property {string} node a Node that can run the packages
 * @property {string} pnpm
 * @property {string[]} binDirs their folders, for PATH
 */

/** @type {{ node: string, pnpm: string }} */
const versions = JSON.parse(readFileSync(join(repoDir, 'scripts/toolchain.json'), 'utf8'))

/**
 * The Node and the pnpm that the packages are built and run with, fetched from the package registry
 * when they are not there yet.
 *
 * @param {import('./context.mjs').SetupContext} context
 * @returns {Promise<Toolchain>}
 */
export async function ensureToolchain(context) {
  const node = isNodeNewEnough(process.version) ? process.execPath : await ensureNode(context)
  const pnpm = await ensurePackage('pnpm', versions.pnpm, 'node_modules/.bin/pnpm', `pnpm ${versions.pnpm}`, context)
  return { node, pnpm, binDirs: [dirname(node), dirname(pnpm)] }
}

/**
 * Whether a Node can run the packages: the `engines` of their manifests.
 *
 * @param {string} version such as `v22.19.0`
 */
export function isNodeNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 19)
}

/** @param {import('./context.mjs').SetupContext} context */
async function ensureNode(context) {
  const name = `node-linux-${process.arch}`
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    throw new SetupError(`Node ${process.version} is too old, and none can be fetched for this machine`, {
      hint: 'Install Node 24.',
    })
  }
  return ensurePackage(name, versions.node, `node_modules/${name}/bin/node`, `Node ${versions.node}`, context)
}

/**
 * Installs one package into a folder of its own in the cache. It is made beside its place and moved
 * there when its program runs, so that an interrupted download never counts.
 *
 * @param {string} name
 * @param {string} version
 * @param {string} program path of its program in the folder
 * @param {string} title for people
 * @param {import('./context.mjs').SetupContext} context
 * @returns {Promise<string>} the program
 */
async function ensurePackage(name, version, program, title, { progress, signal }) {
  const dir = join(cacheDir, 'toolchain', `${name}-${version}-${process.platform}-${process.arch}`)
  if (existsSync(join(dir, program))) return join(dir, program)
  await mkdir(dirname(dir), { recursive: true })
  const draft = await mkdtemp(`${dir}.draft-`)
  try {
    await progress.step(`Fetching ${title}`, async () => {
      const options = { env: toolEnv(process.env), cwd: draft, signal }
      const flags = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier', '--no-save']
      await runTool('npm', ['install', `${name}@${version}`, '--prefix', draft, ...flags], { title: 'npm', ...options })
      await runTool(join(draft, program), ['--version'], { title, ...options })
    })
    await rename(draft, dir)
  } catch (error) {
    // Somebody else was faster: what is there now passed the same test.
    if (!existsSync(join(dir, program))) throw withTitle(error, title)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return join(dir, program)
}

/**
 * @param {unknown} error
 * @param {string} title
 */
function withTitle(error, title) {
  if (!(error instanceof SetupError)) return error
  return new SetupError(`cannot fetch ${title}: ${error.message}`, {
    output: error.output,
    hint: 'npm must reach its package registry.',
  })
}
