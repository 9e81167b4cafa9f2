import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cli, endOf, jsonOf, startCli } from './support/cli.ts'
import { EngineWorld } from './support/engine-world.ts'
import { workspaceFolder } from './support/folder.ts'
import { eventually } from './support/poll.ts'

const engine = await EngineWorld.open()
const transports = ['supervisor', 'exec']

describe.each(transports)('a command that ends otherwise, over %s', (transport) => {
  const options = ['run', `--transport=${transport}`]

  it.each([
    ['SIGKILL', 137],
    ['SIGTERM', 143],
    ['SIGSEGV', 139],
  ])('by %s is 128 + n', async (signal, status) => {
    expect(await cli([...options, '--', `kill -${signal} $$`], { cwd: workspaceFolder() })).toMatchObject({ status })
  })

  it('by its timeout is 124, with its tree', async () => {
    const cwd = workspaceFolder()
    const end = await cli([...options, '--timeout=300', '--', 'echo before; sleep 600 & sleep 600'], { cwd })
    expect(end).toMatchObject({ status: 124, stdout: Buffer.from('before\n') })
    expect(await engine.containersIn(cwd)).toEqual([])
  })

  it('by its timeout although it ignores TERM, after the grace', async () => {
    const args = [
      ...options,
      '--json',
      '--timeout=300',
      '--grace=300',
      '--',
      "trap '' TERM; while :; do sleep 0.1; done",
    ]
    const end = await cli(args, { cwd: workspaceFolder() })
    expect(end.status).toBe(124)
    expect(jsonOf(end)).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGKILL', timeoutMs: 300 })
  })
})

describe.each(transports)('an interrupt, over %s', (transport) => {
  const options = ['run', `--transport=${transport}`]

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends the command and its container, then us', async (signal, status) => {
    const { child } = await startedCli([
      ...options,
      '--',
      "trap 'echo cleaned; exit 1' TERM; echo up; while :; do sleep 0.1; done",
    ])
    child.kill(signal)
    const end = await endOf(child)
    expect(end).toMatchObject({ status, signal: null })
    expect(end.stdout.toString()).toBe('cleaned\n')
    expect(await engine.containersOf(child.pid)).toEqual([])
  })

  it('that comes again does not wait for the grace, and still leaves nothing', async () => {
    const { child } = await startedCli([
      ...options,
      '--grace=1h',
      '--',
      "trap '' TERM; echo up; while :; do sleep 0.1; done",
    ])
    child.kill('SIGINT')
    const closed = endOf(child)
    const stop = setInterval(() => child.kill('SIGINT'), 200)
    const { status } = await closed.finally(() => clearInterval(stop))
    expect(status).toBe(130)
    expect(await engine.containersOf(child.pid)).toEqual([])
  })

  it('while the session starts leaves nothing', async () => {
    const child = startCli([...options, '--', 'sleep 600'], { cwd: workspaceFolder() })
    await eventually('there is a container', async () => (await engine.containersOf(child.pid)).length > 0)
    child.kill('SIGINT')
    expect(await endOf(child)).toMatchObject({ status: 130, stdout: Buffer.alloc(0), stderr: '' })
    expect(await engine.containersOf(child.pid)).toEqual([])
  })

  it('is reported with --json', async () => {
    const cwd = workspaceFolder()
    const child = startCli([...options, '--json', '--', 'sleep 600'], { cwd })
    await eventually('the command runs', async () => {
      const [id] = await engine.containersIn(cwd)
      return id !== undefined && (await engine.processesIn(id)).some((line) => line.startsWith('sleep 600'))
    })
    child.kill('SIGINT')
    const end = await endOf(child)
    expect(end.status).toBe(130)
    expect(jsonOf(end)).toMatchObject({ aborted: true, timedOut: false })
  })
})

describe('an interrupt while there is no session yet', () => {
  it('does not wait for the image', async () => {
    const cwd = workspaceFolder()
    const pulled = Promise.withResolvers<void>()
    const silentRegistry = createServer(() => pulled.resolve()).listen(0, '127.0.0.1')
    onTestFinished(() => {
      silentRegistry.closeAllConnections()
      silentRegistry.close()
    })
    await once(silentRegistry, 'listening')
    const { port } = silentRegistry.address() as { port: number }
    const child = startCli(['run', `--image=127.0.0.1:${port}/silent:1`, '--', 'true'], { cwd })
    await pulled.promise
    child.kill('SIGINT')
    expect(await endOf(child)).toMatchObject({ status: 130, stdout: Buffer.alloc(0), stderr: '' })
  })

  it('does not wait for the engine for long', async () => {
    const cwd = workspaceFolder()
    const asked = Promise.withResolvers<void>()
    const silentEngine = createServer(() => asked.resolve()).listen(join(cwd, 'engine.sock'))
    onTestFinished(() => {
      silentEngine.closeAllConnections()
      silentEngine.close()
    })
    const engineOptions = [`--engine=unix://${join(cwd, 'engine.sock')}`, '--connect-timeout=2s']
    const child = startCli(['run', ...engineOptions, '--', 'true'], { cwd })
    await asked.promise
    child.kill('SIGINT')
    expect(await endOf(child)).toMatchObject({ status: 130, stdout: Buffer.alloc(0), stderr: '' })
  })
})

describe.each(transports)('kill -9 of the program, over %s', (transport) => {
  const options = ['run', `--transport=${transport}`]

  it('takes the container along', async () => {
    const { child } = await startedCli([...options, '--', 'echo up; sleep 600'])
    expect(await engine.containersOf(child.pid)).toHaveLength(1)
    child.kill('SIGKILL')
    await once(child, 'close')
    await eventually('the container is gone', async () => (await engine.containersOf(child.pid)).length === 0)
  })
})

/** A run that has printed its first line. */
async function startedCli(args: string[]): Promise<{ child: ChildProcess }> {
  const child = startCli(args, { cwd: workspaceFolder() })
  const stdout = child.stdout as Readable
  await once(stdout, 'readable')
  expect(String(stdout.read())).toBe('up\n')
  return { child }
}
