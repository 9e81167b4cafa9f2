import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemEnv } from './child-env.mjs'
import { runTool } from './run-tool.mjs'
import { SetupError } from './setup-error.mjs'

/** @typedef {{ name: string, dependencies?: Record<string, string>, bundleDependencies?: string[] }} Manifest */
/** @typedef {{ tarball: string, manifest: Manifest }} Packed */

/**
 * Puts the packages of this checkout that a packed one depends on into its tarball, so that it can be installed from
 * that one file. What they need of the registry becomes its own dependency.
 *
 * @param {string} folder holds the tarballs of all packages
 * @param {string} name of the package
 * @param {AbortSignal} signal
 */
export async function selfContain(folder, name, signal) {
  const packages = await readPackages(folder, signal)
  const main = packages.get(name)
  if (main === undefined) throw new SetupError(`there is no tarball of ${name} in ${folder}`)
  const { bundled, dependencies } = closure(main, packages)
  const draft = await mkdtemp(join(folder, '.draft-'))
  try {
    await extract(main.tarball, draft, signal)
    for (const { tarball, manifest } of bundled) {
      const place = join(draft, 'node_modules', manifest.name)
      await mkdir(place, { recursive: true })
      await extract(tarball, place, signal)
    }
    const bundleDependencies = bundled.map(({ manifest }) => manifest.name)
    const manifest = { ...main.manifest, dependencies, bundleDependencies }
    await writeFile(join(draft, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
    const whole = `${main.tarball}.draft`
    await tar(['--create', '--gzip', '--file', whole, '--directory', draft, '--transform=s,^\\.,package,', '.'], signal)
    await rename(whole, main.tarball)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, Packed>>} by name
 */
async function readPackages(folder, signal) {
  /** @type {Map<string, Packed>} */
  const packages = new Map()
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.tgz')) continue
    const tarball = join(folder, file)
    const manifest = JSON.parse(
      await tar(['--extract', '--to-stdout', '--file', tarball, 'package/package.json'], signal),
    )
    packages.set(manifest.name, { tarball, manifest })
  }
  return packages
}

/**
 * @param {Packed} main
 * @param {Map<string, Packed>} packages
 */
function closure(main, packages) {
  /** @type {Record<string, string>} */
  const dependencies = {}
  /** @type {Set<Packed>} */
  const bundled = new Set()
  for (const { manifest } of [main].concat(reachable(main, packages))) {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      const packed = packages.get(name)
      if (packed !== undefined) bundled.add(packed)
      if ((dependencies[name] ?? range) !== range) throw new SetupError(`${name} is wanted in two versions`)
      dependencies[name] = range
    }
  }
  return { bundled: [...bundled], dependencies }
}

/**
 * @param {Packed} from
 * @param {Map<string, Packed>} packages
 * @param {Set<Packed>} [seen]
 * @returns {Packed[]} every package of the checkout that `from` depends on
 */
function reachable({ manifest }, packages, seen = new Set()) {
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const packed = packages.get(name)
    if (packed === undefined || seen.has(packed)) continue
    seen.add(packed)
    reachable(packed, packages, seen)
  }
  return [...seen]
}

/**
 * @param {string} tarball
 * @param {string} place
 * @param {AbortSignal} signal
 */
function extract(tarball, place, signal) {
  return tar(['--extract', '--file', tarball, '--directory', place, '--strip-components=1'], signal)
}

/**
 * @param {string[]} args
 * @param {AbortSignal} signal
 */
function tar(args, signal) {
  return runTool('tar', args, { title: 'tar', env: systemEnv(process.env), signal })
}
