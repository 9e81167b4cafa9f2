import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.ts'

const packagesDirectory = fileURLToPath(new URL('../../packages', import.meta.url))

export interface PackedPackage {
  readonly name: string
  readonly tarball: string
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
      const { name, version } = JSON.parse(await readFile(join(packagesDirectory, folder, 'package.json'), 'utf8'))
      return { name, tarball: join(directory, `${name}-${version}.tgz`) }
    }),
  )
}
