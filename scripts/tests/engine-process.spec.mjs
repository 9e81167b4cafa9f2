import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canInstallPackages } from '../lib/debian-packages.mjs'
import { filesIn } from '../lib/engine-files.mjs'
import { startEngine, stopEngine } from '../lib/engine-process.mjs'
import { pingEngine } from '../lib/ping-engine.mjs'
import { poll } from '../lib/poll.mjs'
import { argumentsOf, identify, isAlive, listProcesses } from '../lib/process-identity.mjs'
import { SetupError } from '../lib/setup-error.mjs'

const { signal } = new AbortController()

// Elsewhere no engine of our own is ever started.
describe.runIf(canInstallPackages() && existsSync('/usr/sbin/dockerd'))('an engine of our own', () => {
  /** @type {import('../lib/engine-files.mjs').EngineFiles} */
  let files
  beforeEach(async () => {
    files = filesIn(await mkdtemp(join(tmpdir(), 'bash-docker-engine-')))
  })
  afterEach(async () => {
    await stopEngine(files)
    await rm(files.dir, { recursive: true })
  })

  /** Every process that was given a path in the engine's folder: dockerd, containerd, shims. */
  const processes = () =>
    listProcesses().filter(({ pid }) => argumentsOf(pid).some((argument) => argument.startsWith(files.dir)))
  const mounts = async () => (await readFile('/proc/self/mountinfo', 'utf8')).includes(files.dir)

  it('answers on its socket, is closed to others, and leaves no process and no mount when it ends', async () => {
    await startEngine(files, signal)
    expect(await pingEngine(files.socketPath)).toBe(true)
    expect((await stat(files.dir)).mode & 0o077).toBe(0)
    expect(processes()).not.toEqual([])
    expect(await stopEngine(files)).toBe(true)
    expect(processes()).toEqual([])
    expect(await mounts()).toBe(false)
    expect(existsSync(files.socketPath)).toBe(false)
    expect(await stopEngine(files)).toBe(false)
  })

  it('starts again after it was killed, and clears what that had left', async () => {
    await startEngine(files, signal)
    const killed = JSON.parse(await readFile(files.recordPath, 'utf8'))
    process.kill(killed.pid, 'SIGKILL')
    expect(await poll(() => !isAlive(killed), 10_000)).toBe(true)
    await startEngine(files, signal)
    expect(await pingEngine(files.socketPath)).toBe(true)
    process.kill(JSON.parse(await readFile(files.recordPath, 'utf8')).pid, 'SIGKILL')
    await stopEngine(files)
    expect(processes()).toEqual([])
    expect(await mounts()).toBe(false)
  })

  it('is found by the number that dockerd wrote when nobody could record it', async () => {
    await startEngine(files, signal)
    await rm(files.recordPath)
    expect(await stopEngine(files)).toBe(true)
    expect(processes()).toEqual([])
  })

  it('does not survive the loss of both records', async () => {
    await startEngine(files, signal)
    await Promise.all([rm(files.recordPath), rm(files.pidPath)])
    expect(await stopEngine(files)).toBe(false)
    expect(processes()).toEqual([])
  })

  it('ignores a recorded process that is not the engine, and what lies in the place of its socket', async () => {
    await writeFile(files.socketPath, '')
    await writeFile(files.recordPath, JSON.stringify(identify(process.pid)))
    await writeFile(files.pidPath, String(process.pid))
    expect(await stopEngine(files)).toBe(false)
    await startEngine(files, signal)
    expect(await pingEngine(files.socketPath)).toBe(true)
  })

  it('shows the end of the log when it cannot start', async () => {
    await writeFile(files.dataDir, 'not a folder')
    const failure = startEngine(files, signal)
    await expect(failure).rejects.toThrow(SetupError)
    await expect(failure).rejects.toMatchObject({ output: expect.stringContaining('data') })
    await rm(files.dataDir)
  })
})
