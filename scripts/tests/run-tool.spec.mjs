import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { poll } from '../lib/poll.mjs'
import { identify, isAlive } from '../lib/process-identity.mjs'
import { runTool } from '../lib/run-tool.mjs'
import { Interrupted, SetupError } from '../lib/setup-error.mjs'

const { signal } = new AbortController()
const options = { title: 'the tool', env: process.env, signal }

it('gives what the tool printed, and gives it no input', async () => {
  expect(await runTool('sh', ['-c', 'echo out; echo err >&2; cat'], options)).toBe('out\n')
})

it('shows what a failing tool printed on both streams', async () => {
  const failure = runTool('sh', ['-c', 'echo out; echo err >&2; exit 3'], options)
  await expect(failure).rejects.toThrow(SetupError)
  await expect(failure).rejects.toMatchObject({ message: 'the tool failed (exit status 3)', output: 'out\nerr' })
})

it('names a tool that is not there', async () => {
  await expect(runTool('/nowhere/tool', [], options)).rejects.toThrow('the tool cannot be run')
})

it('ends the tool with its children when it is interrupted', async () => {
  const controller = new AbortController()
  const dir = await mkdtemp(join(tmpdir(), 'bash-docker-run-tool-'))
  try {
    const script = 'sleep 600 & echo $! >draft; mv draft child; wait'
    const running = runTool('sh', ['-c', script], { ...options, cwd: dir, signal: controller.signal })
    expect(await poll(() => existsSync(join(dir, 'child')), 10_000)).toBe(true)
    const child = identify(Number(await readFile(join(dir, 'child'), 'utf8')))
    expect(isAlive(child)).toBe(true)
    controller.abort(new Interrupted('SIGTERM'))
    await expect(running).rejects.toThrow(Interrupted)
    expect(await poll(() => !isAlive(child), 10_000)).toBe(true)
  } finally {
    await rm(dir, { recursive: true })
  }
})
