// Packs each public package and checks what a user's tools would see of it: publint and "are the types wrong".
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoDir } from './lib/places.mjs'
import { listPackageDirs } from './lib/workspace.mjs'

const bin = join(repoDir, 'node_modules/.bin')

for (const dir of await listPackageDirs()) {
  const manifest = JSON.parse(await readFile(join(dir, 'package.json'), 'utf8'))
  if (manifest.private === true) continue
  const packDir = await mkdtemp(join(tmpdir(), 'bash-docker-pack-'))
  try {
    const failed =
      (await run('pnpm', ['pack', '--pack-destination', packDir], dir)) || (await check(packDir, dataExports(manifest)))
    if (failed) {
      console.error(`${manifest.name}: the package is not in order`)
      process.exitCode = 1
    }
  } finally {
    await rm(packDir, { recursive: true })
  }
}

/**
 * Exports that are files for other programs: nothing imports them.
 *
 * @param {{ exports: Record<string, unknown> }} manifest
 */
function dataExports(manifest) {
  return Object.keys(manifest.exports).filter((name) => name.endsWith('.yml'))
}

/**
 * @param {string} packDir holds the packed package
 * @param {string[]} notImported exports
 * @returns {Promise<boolean>} whether a check failed
 */
async function check(packDir, notImported) {
  const [tarball = ''] = await readdir(packDir)
  const publintFailed = await run(join(bin, 'publint'), ['--strict', tarball], packDir)
  const exclude = notImported.length > 0 ? ['--exclude-entrypoints', ...notImported] : []
  const attwFailed = await run(join(bin, 'attw'), [tarball, '--profile', 'esm-only', ...exclude], packDir)
  return publintFailed || attwFailed
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<boolean>} whether it failed; what it printed then is shown
 */
async function run(program, args, cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  /** @type {Buffer[]} */
  const output = []
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (status !== 0) process.stderr.write(Buffer.concat(output))
  return status !== 0
}
