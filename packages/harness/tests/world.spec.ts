import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import DockerSubprocess from '../src/subprocess/index.ts'
import DockerWorld from '../src/world/index.ts'
import { leftContainers, testWorld } from './support/harness.ts'
import { bashSpec, collectedText, run } from './support/processes.ts'

describe('the world of a harness', () => {
  it('is one container, which ends with the plugin, and everything in it', async () => {
    const before = await leftContainers()
    const world = await testWorld()
    const { subprocess } = world.ctx
    const handle = subprocess.spawn(bashSpec('trap "" TERM; echo up; sleep 3600', { graceMs: 100 }))
    await run(subprocess, 'true')
    expect((await leftContainers()).length).toBe(before.length + 1)
    await world[Symbol.asyncDispose]()
    expect(await leftContainers()).toEqual(before)
    expect(await handle.done).toEqual({ exitCode: null, signal: 'SIGKILL' })
  })

  it('fails to load without an engine, and runs nothing', async () => {
    const ctx = new Context()
    const engine = { host: 'unix:///no/such/engine.sock' }
    await expect(ctx.plugin(DockerWorld, { engine })).rejects.toMatchObject({ code: 'ENGINE_UNREACHABLE' })
    await ctx.fiber.dispose()
  })

  it('may start with its first use, which then fails', async () => {
    const ctx = new Context()
    await ctx.plugin(DockerWorld, { engine: { host: 'unix:///no/such/engine.sock' }, start: 'first-use' })
    await ctx.plugin(DockerSubprocess)
    const handle = ctx.subprocess.spawn(bashSpec('true'))
    await expect(handle.done).rejects.toMatchObject({ code: 'ENGINE_UNREACHABLE' })
    expect(handle.pid).toBe(-1)
    await ctx.fiber.dispose()
  })

  it('loses what ran in a container that was removed, and goes on in a new one', async () => {
    await using world = await testWorld()
    const { subprocess, dockerWorld, fs } = world.ctx
    const handle = subprocess.spawn(bashSpec('echo up; sleep 3600'))
    await run(subprocess, 'touch /tmp/of-the-first')
    const { container } = await dockerWorld.enter()
    await container.end()
    await expect(handle.done).rejects.toMatchObject({ code: 'SESSION_LOST' })
    expect(await handle.waitForExit()).toBe(true)
    expect(collectedText(handle, 'stdout')).toBe('up\n')
    expect((await run(subprocess, 'ls /tmp/of-the-first')).exitCode).toBe(2)
    expect(await fs.readText(await fs.resolve('/etc/hostname'))).toBe((await run(subprocess, 'hostname')).stdout)
  })

  it('shows a workspace under its own path and under its real one', async () => {
    const real = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-real-')))
    const link = `${real}-link`
    symlinkSync(real, link)
    try {
      await using world = await testWorld({ workspace: { path: link, access: 'read-write' } })
      const { stdout } = await run(world.ctx.subprocess, `touch ${link}/made; ls ${real}`)
      expect(stdout).toBe('made\n')
    } finally {
      rmSync(real, { recursive: true })
      rmSync(link)
    }
  })

  it('is read-only unless the deployment says otherwise', async () => {
    const path = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-read-only-')))
    try {
      await using world = await testWorld({ workspace: { path } })
      const { exitCode, stderr } = await run(world.ctx.subprocess, `touch ${path}/planted`)
      expect({ exitCode, isRefused: stderr.includes('Read-only file system') }).toEqual({
        exitCode: 1,
        isRefused: true,
      })
    } finally {
      rmSync(path, { recursive: true })
    }
  })

  it.each([
    ['a workspace that is not there', { workspace: { path: '/no/such/workspace' } }, 'WORKSPACE_NOT_FOUND'],
    ['a path that is not there', { paths: [{ path: '/no/such/path' }] }, 'WORKSPACE_NOT_FOUND'],
    ['a workspace of the system', { workspace: { path: '/etc' } }, 'WORKSPACE_REFUSED'],
  ])('refuses %s', async (_what, config, code) => {
    await expect(testWorld(config)).rejects.toMatchObject({ code })
  })

  it('leaves out an optional path that is not there', async () => {
    await using world = await testWorld({ paths: [{ path: '/no/such/path', optional: true }] })
    expect((await run(world.ctx.subprocess, 'ls /no/such/path')).exitCode).toBe(2)
  })
})
