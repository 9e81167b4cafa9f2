import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineSocketPath } from './support/engine.ts'
import { packPackages, type PackedPackage } from './support/packed-packages.ts'
import { runProgram } from './support/run-program.ts'

const installMs = 240_000

/** The oldest release line that the packages say they run on; the tests themselves run on the other. */
const node22 = join(
  dirname(createRequire(import.meta.url).resolve(`node-22-linux-${process.arch}/package.json`)),
  'bin/node',
)

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
        const importing = packages.flatMap(({ modules }) => modules.map((path) => `await import('${path}');`)).join('')
        for (const node of [process.execPath, node22]) {
          await runProgram(node, ['--input-type=module', '--eval', importing], { cwd: project })
        }
        const args = ['run', '--quiet', '--workspace', 'none', '--', 'echo hi from $(id -u); exit 7']
        const DOCKER_HOST = `unix://${await engineSocketPath()}`
        const cli = join(project, 'node_modules/.bin/bash-docker')
        await expect(runProgram(cli, args, { cwd: project, env: { DOCKER_HOST } })).rejects.toMatchObject({
          code: 7,
          stdout: 'hi from 1000\n',
          stderr: '',
        })
        expect(await callOverMcp(cli, 'echo hi from $(id -u)', { cwd: project, DOCKER_HOST })).toMatchObject({
          content: [{ type: 'text', text: 'hi from 1000\n' }],
        })
      } finally {
        await rm(project, { recursive: true, force: true })
      }
    },
    installMs,
  )
})

/** Calls `bash` of the installed MCP server with what any program would send. */
async function callOverMcp(cli: string, command: string, { cwd, DOCKER_HOST }: { cwd: string; DOCKER_HOST: string }) {
  const env = { ...process.env, DOCKER_HOST }
  const server = spawn(cli, ['mcp', '--workspace', 'none'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  const exited = once(server, 'exit')
  const ask = async (message: object): Promise<Record<string, unknown>> => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    return (JSON.parse(String((await answers.next()).value)) as { result: Record<string, unknown> }).result
  }
  const clientInfo = { name: 'test', version: '1' }
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  expect(await ask({ id: 1, method: 'initialize', params: initialize })).toHaveProperty('instructions')
  const params = { name: 'bash', arguments: { command, description: 'Say who it is' } }
  const result = await ask({ id: 2, method: 'tools/call', params })
  server.stdin.end()
  expect(await exited).toEqual([0, null])
  return result
}

/** Into an empty project. The packages depend on each other, and no registry has them. */
async function install(manager: 'npm' | 'pnpm', project: string, packages: readonly PackedPackage[]): Promise<void> {
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const dependencies = Object.assign({}, ...packages.map(({ optionalPeers }) => optionalPeers), tarballs)
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  if (manager === 'pnpm') {
    await writeFile(join(project, 'pnpm-workspace.yaml'), JSON.stringify({ overrides: tarballs }))
  }
  const quiet = manager === 'npm' ? ['--no-audit', '--no-fund'] : []
  await runProgram(manager, ['install', '--prefer-offline', '--ignore-scripts', ...quiet], { cwd: project })
}
