import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { cli, endOf, jsonOf, startCli } from './support/cli.ts'
import { EngineWorld } from './support/engine-world.ts'
import { workspaceFolder } from './support/folder.ts'
import { eventually } from './support/poll.ts'

const engine = await EngineWorld.open()

interface Listed {
  kind: string
  id: string
  owner: { pid?: number; state: string }
  workspace?: string
}

describe('bash-docker ps and gc', () => {
  it('list a session while it lives, and keep it', async () => {
    const cwd = workspaceFolder()
    const child = startCli(['run', 'sleep 600'], { cwd })
    const id = await eventually('there is a session', async () => (await engine.containersIn(cwd))[0])
    const session = { kind: 'container', id, owner: { pid: child.pid, state: 'alive' }, workspace: cwd }
    const listed = jsonOf(await cli(['ps', '--json'], { cwd })) as { sessions: Listed[] }
    expect(listed.sessions).toContainEqual(expect.objectContaining(session))
    const table = await cli(['ps'], { cwd })
    expect(table).toMatchObject({ status: 0, stderr: '' })
    expect(table.stdout.toString()).toMatch(new RegExp(`^container .* ${child.pid} \\(alive\\) .* ${cwd}$`, 'm'))
    const collected = jsonOf(await cli(['gc', '--json'], { cwd })) as { kept: Listed[] }
    expect(collected.kept).toContainEqual(expect.objectContaining(session))
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([130, null])
  })

  it('leave and list nothing of a program that was killed', async () => {
    const cwd = workspaceFolder()
    const child = startCli(['run', 'sleep 600'], { cwd })
    const id = await eventually('there is a session', async () => (await engine.containersIn(cwd))[0])
    const remains = await engine.describe(id)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await engine.leaveBehind(remains)
    expect((await engine.objectsOf(child.pid)).length).toBeGreaterThanOrEqual(3)
    const collected = await cli(['gc'], { cwd })
    expect(collected).toMatchObject({ status: 0, stderr: '' })
    expect(await engine.objectsOf(child.pid)).toEqual([])
    const { sessions } = jsonOf(await cli(['ps', '--json'], { cwd })) as { sessions: Listed[] }
    expect(sessions.filter(({ owner }) => owner.pid === child.pid)).toEqual([])
  })

  it('are refused with an engine that is not there', async () => {
    for (const name of ['ps', 'gc']) {
      const end = await cli([name, '--json', '--engine=unix:///nowhere/docker.sock'], { cwd: workspaceFolder() })
      expect(end.status, name).toBe(125)
      expect(jsonOf(end)).toMatchObject({ error: { code: 'ENGINE_UNREACHABLE', hint: expect.any(String) } })
    }
  })
})

describe('bash-docker doctor', () => {
  it('names the engine that was taken and tries it, leaving nothing', async () => {
    const child = startCli(['doctor', '--json'], { cwd: workspaceFolder() })
    const end = await endOf(child)
    expect(end).toMatchObject({ status: 0, stderr: '' })
    const report = jsonOf(end) as { candidates: { outcome: string; host: string }[]; probes: { status: string }[] }
    expect(report).toMatchObject({ ok: true, versions: { node: process.versions.node, engine: expect.any(String) } })
    expect(report.candidates.filter(({ outcome }) => outcome === 'taken')).toMatchObject([{ host: engine.host }])
    expect(report.probes).toContainEqual(expect.objectContaining({ name: 'no-network', status: 'ok' }))
    expect(await engine.objectsOf(child.pid)).toEqual([])
  })

  it('says the same for people, without colour where there is no terminal', async () => {
    const { status, stdout } = await cli(['doctor'], { cwd: workspaceFolder(), env: { FORCE_COLOR: undefined } })
    expect(status).toBe(0)
    expect(stdout.toString()).toMatch(/^Engines\n {2}taken {6}[^]*\nProbes\n[^]*\nCommands can be run\.\n$/)
  })

  it('exits 1 when the engine that was chosen fails, and says why', async () => {
    const end = await cli(['doctor', '--json', '--engine=unix:///nowhere/docker.sock'], { cwd: workspaceFolder() })
    expect(end.status).toBe(1)
    expect(jsonOf(end)).toMatchObject({
      ok: false,
      candidates: expect.arrayContaining([expect.objectContaining({ outcome: 'failed', code: 'ENGINE_UNREACHABLE' })]),
      probes: [],
    })
  })

  it('exits 1 when a probe fails', async () => {
    const end = await cli(['doctor', '--json', '--image=Not An Image'], { cwd: workspaceFolder() })
    expect(end.status).toBe(1)
    expect(jsonOf(end)).toMatchObject({ ok: false })
  })
})
