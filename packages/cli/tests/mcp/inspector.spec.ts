import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { mainPath } from '../support/cli.ts'
import { EngineWorld } from '../support/engine-world.ts'
import { workspaceFolder } from '../support/folder.ts'
import { httpServer } from './support/mcp-server.ts'

const engine = await EngineWorld.open()

const manifestPath = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')
const launcher = join(dirname(manifestPath), 'clients/launcher/build/index.js')

/** What the inspector's command line prints of one request. */
async function inspect(cwd: string, ...args: string[]): Promise<unknown> {
  const env = { ...process.env, DOCKER_HOST: engine.host }
  const { stdout } = await promisify(execFile)(process.execPath, [launcher, '--cli', ...args], { cwd, env })
  return JSON.parse(stdout)
}

const call = ['--method', 'tools/call', '--tool-name', 'bash', '--tool-arg', 'command=hostname; exit 3']
const called = { content: [{ type: 'text', text: 'sandbox\n[exit code: 3]' }], structuredContent: { exitCode: 3 } }

it('answers the inspector over stdio, and leaves no container', async () => {
  const cwd = workspaceFolder()
  // It gives a server only what it is told to. Options of Node among the arguments it would take for its own.
  const variables = ['-e', `DOCKER_HOST=${engine.host}`, '-e', 'NODE_OPTIONS=--conditions=bash-docker-source']
  const server = [...variables, process.execPath, mainPath, 'mcp']
  const { tools } = (await inspect(cwd, ...server, '--method', 'tools/list')) as { tools: { name: string }[] }
  expect(tools.map(({ name }) => name)).toEqual(['bash', 'bash_output', 'bash_kill'])
  expect(await inspect(cwd, ...server, ...call, '--tool-arg', 'description=look')).toMatchObject(called)
  await expect.poll(() => engine.containersIn(cwd)).toEqual([])
})

it('answers the inspector over HTTP, and refuses it with another token', async () => {
  const cwd = workspaceFolder()
  const { url, token } = await httpServer(cwd)
  const as = (shown: string): string[] => [url, '--transport', 'http', '--header', `Authorization: Bearer ${shown}`]
  expect(await inspect(cwd, ...as(token), ...call, '--tool-arg', 'description=look')).toMatchObject(called)
  await expect(inspect(cwd, ...as('another'), '--method', 'tools/list')).rejects.toThrow(/auth_required/)
})
