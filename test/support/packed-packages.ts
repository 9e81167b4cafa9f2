import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.ts'

const packagesDirectory = fileURLToPath(new URL('../../packages', import.meta.url))

export interface PackedPackage {
  readonly name: string
  readonly tarball: string
  /** What a program may import of it. */
  readonly modules: readonly string[]
  /** What some of its modules need and no manager installs by itself, as in `peerDependencies`. */
  readonly optionalPeers: Readonly<Record<string, string>>
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { optional: boolean }>>
}

/** Packs every package into `directory`, each without the others. */
export async function packPackages(directory: string): Promise<PackedPackage[]> {
  const cwd = join(packagesDirectory, '..')
  await runProgram('pnpm', ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', directory], {
    cwd,
  })
  const folders = await readdir(packagesDirectory)
  return Promise.all(
    folders.map(async (folder) => {
      const manifest = JSON.parse(await readFile(join(packagesDirectory, folder, 'package.json'), 'utf8')) as Manifest
      const { name, version } = manifest
      const tarball = join(directory, `${name}-${version}.tgz`)
      return { name, tarball, modules: modulesOf(manifest), optionalPeers: optionalPeersOf(manifest) }
    }),
  )
}

/** Exports with conditions are modules; the others are files to be read. */
function modulesOf({ name, exports }: Manifest): string[] {
  return Object.entries(exports).flatMap(([path, target]) => (typeof target === 'string' ? [] : [join(name, path)]))
}

function optionalPeersOf({ peerDependencies = {}, peerDependenciesMeta = {} }: Manifest): Record<string, string> {
  return Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name]?.optional))
}
