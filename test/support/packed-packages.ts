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
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
}

/** Packs every package into `directory`, as `npm run pack` does. */
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
      return { name, tarball: join(directory, `${name}-${version}.tgz`), modules: modulesOf(manifest) }
    }),
  )
}

/** Exports with conditions are modules; the others are files to be read. */
function modulesOf({ name, exports }: Manifest): string[] {
  return Object.entries(exports).flatMap(([path, target]) => (typeof target === 'string' ? [] : [join(name, path)]))
}
