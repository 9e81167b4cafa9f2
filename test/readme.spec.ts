import { execFile } from 'node:child_process'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connectEngine, DEFAULT_IMAGE, ensureImage } from 'dsh-container'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const cli = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))
const sources = '--conditions=bash-docker-source'
let folder: string

beforeAll(async () => {
  await ensureImage(await connectEngine(), { reference: DEFAULT_IMAGE, pull: 'missing' })
  folder = await mkdtemp(join(tmpdir(), 'readme-'))
  await writeFile(join(folder, 'notes.txt'), 'hello\n')
  await chown(folder, 1000, 1000)
}, 240_000)

afterAll(() => rm(folder, { recursive: true }))

/** The text that a command prints, both streams; the README's own quoting is bash's. */
async function run(command: string): Promise<string> {
  const script = command.replace('npm start -- ', '"$node" "$sources" "$cli" run ')
  const env = {
    PATH: process.env['PATH'],
    DOCKER_HOST: process.env['DOCKER_HOST'],
    node: process.execPath,
    sources,
    cli,
  }
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: folder, env }).catch(
    (error: { stdout: string; stderr: string }) => error, // a status other than 0 is the command's
  )
  return stdout + stderr
}

describe('README.md', () => {
  const examples = [...text.matchAll(/```console\n\$ (.+)\n([\s\S]*?)```/g)]

  it('shows a command allowed, a network call refused, a host file not seen and a fork bomb', () => {
    expect(examples).toHaveLength(4)
  })

  it.each(examples.map(([, command = '', output = '']) => ({ command, output })))(
    'prints what it says: $command',
    async ({ command, output }) => {
      expect(await run(command)).toBe(output)
    },
  )

  it('has a quickstart of eight lines that runs', async () => {
    const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(text) ?? []
    expect(code.trim().split('\n')).toHaveLength(8)
    const file = fileURLToPath(new URL(`readme-quickstart-${process.pid}.ts`, import.meta.url))
    await writeFile(file, code)
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [sources, file], { cwd: folder })
      expect(stdout).toBe('0 hello\n\n')
      expect(await readFile(join(folder, 'greeting'), 'utf8')).toBe('hello\n')
    } finally {
      await rm(file)
    }
  })
})
