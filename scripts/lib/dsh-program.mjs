import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toolEnv } from './child-env.mjs'
import { cacheDir } from './places.mjs'
import { runTool } from './run-tool.mjs'

/** The newest set of the harness's packages whose dependencies are all to be had. */
const version = '0.1.0-rc.8'

/** Prereleases are no part of a range: without these, the parts of one program come in several versions. */
const pins = {
  '@deepseek-ai/cordis': '4.0.1',
  '@deepseek-ai/cordis-plugin-hmr': '1.0.16',
  '@deepseek-ai/cordis-plugin-include': '1.0.6',
  '@deepseek-ai/cordis-plugin-loader': '1.0.2',
}

/**
 * Installs the `dsh` program, once, into the cache. It is made beside its place and moved there when it
 * starts, so that an interrupted installation never counts.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./context.mjs').SetupContext} context
 * @returns {Promise<string>} the program's script
 */
export async function ensureDsh({ node, pnpm, binDirs }, { progress, signal }) {
  const dir = join(cacheDir, 'dsh', version)
  const script = 'node_modules/@deepseek-ai/dsh/lib/bin.js'
  if (existsSync(join(dir, script))) return join(dir, script)
  await mkdir(dirname(dir), { recursive: true })
  const draft = await mkdtemp(`${dir}.draft-`)
  try {
    await progress.step(`Installing dsh ${version}`, async () => {
      const manifest = { private: true, dependencies: { '@deepseek-ai/dsh': version } }
      await writeFile(join(draft, 'package.json'), JSON.stringify(manifest))
      await writeFile(
        join(draft, 'pnpm-workspace.yaml'),
        JSON.stringify({ packages: ['.'], nodeLinker: 'hoisted', overrides: pins }),
      )
      const options = { env: toolEnv(process.env, binDirs), cwd: draft, signal }
      await runTool(pnpm, ['install', '--prefer-offline', '--ignore-scripts'], { title: 'pnpm', ...options })
      await runTool(node, [join(draft, script), '--version'], { title: 'dsh', ...options })
    })
    await rename(draft, dir)
  } catch (error) {
    // Somebody else was faster: what is there now passed the same test.
    if (!existsSync(join(dir, script))) throw error
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return join(dir, script)
}
