import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineSocketPath } from './support/engine.ts'
import { packPackages, type PackedPackage } from './support/packed-packages.ts'
import { runProgram } from './support/run-program.ts'

const installMs = 120_000

describe('the packed packages', () => {
  let packDirectory: string
  let packages: PackedPackage[]
  beforeAll(async () => {
    packDirectory = await mkdtemp(join(tmpdir(), 'bash-docker-packed-'))
    packages = await packPackages(packDirectory)
  })
  afterAll(() => rm(packDirectory, { recursive: true, force: true }))

  it('carry the default image’s files and the supervisor for each processor', async () => {
    const tarball = packages.find(({ name }) => name === 'dsh-container')!.tarball
    const names = (await runProgram('tar', ['--list', '--file', tarball])).split('\n')
    for (const asset of [
      'base/Dockerfile',
      'base/build.sh',
      'base/packages.txt',
      'supervisor/supervisor-amd64',
      'supervisor/supervisor-arm64',
    ]) {
      expect(names).toContain(`package/assets/${asset}`)
    }
  })

  it('need nothing of the checkout', async () => {
    for (const { tarball } of packages) {
      const manifest = await runProgram('tar', ['--extract', '--to-stdout', '--file', tarball, 'package/package.json'])
      expect(manifest).not.toContain('workspace:')
    }
  })

  it.each(['npm', 'pnpm'] as const)(
    'install with %s, load, and run a command in a container',
    async (manager) => {
      const project = await mkdtemp(join(tmpdir(), `bash-docker-${manager}-project-`))
      try {
        await install(manager, project, packages)
        const importing = packages.map(({ name }) => `await import('${name}');`).join('')
        await runProgram(process.execPath, ['--input-type=module', '--eval', importing], { cwd: project })
        const args = ['run', '--quiet', '--workspace', 'none', '--', 'echo hi from $(id -u); exit 7']
        const DOCKER_HOST = `unix://${await engineSocketPath()}`
        const cli = join(project, 'node_modules/.bin/bash-docker')
        await expect(runProgram(cli, args, { cwd: project, env: { DOCKER_HOST } })).rejects.toMatchObject({
          code: 7,
          stdout: 'hi from 1000\n',
          stderr: '',
        })
      } finally {
        await rm(project, { recursive: true, force: true })
      }
    },
    installMs,
  )
})

/** Into an empty project. The packages depend on each other, and no registry has them. */
async function install(manager: 'npm' | 'pnpm', project: string, packages: readonly PackedPackage[]): Promise<void> {
  const dependencies = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  if (manager === 'pnpm') {
    await writeFile(join(project, 'pnpm-workspace.yaml'), JSON.stringify({ overrides: dependencies }))
  }
  const quiet = manager === 'npm' ? ['--no-audit', '--no-fund'] : []
  await runProgram(manager, ['install', '--prefer-offline', '--ignore-scripts', ...quiet], { cwd: project })
}
