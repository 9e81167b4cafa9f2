import { beforeAll, describe, expect, it } from 'vitest'
import { describeObject } from '../../src/cleanup/managed-object.ts'
import { labelNames } from '../../src/container/owner.ts'
import { listSessions } from '../../src/index.ts'
import { type TestEngine, testEngine } from '../support/engine.ts'
import { deadOwner, livingOwner, ManagedWorld, ownerElsewhere, sharedVolume } from './managed-world.ts'

let test: TestEngine

beforeAll(async () => {
  test = await testEngine()
})

describe('the list of what is on an engine', () => {
  it('tells everything about a container that its labels say', async () => {
    await using world = new ManagedWorld(test)
    const labels = { ...livingOwner(), [labelNames.session]: 'a-session', [labelNames.workspace]: '/home/me/project' }
    const id = await world.container(labels, 'running')
    const [listed] = await listSessions(world.engine)
    expect(listed).toEqual({
      kind: 'container',
      id,
      name: expect.stringMatching(/^\w+$/),
      state: 'running',
      image: test.image,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      ageMs: expect.any(Number),
      owner: { pid: process.pid, state: 'alive' },
      sessionId: 'a-session',
      workspace: '/home/me/project',
    })
    expect(JSON.parse(JSON.stringify(listed))).toEqual(listed)
  })

  it('has containers in every state, networks and volumes, and nothing of strangers', async () => {
    await using world = new ManagedWorld(test)
    const dead = await deadOwner()
    await world.container(dead, 'created')
    await world.container(ownerElsewhere(), 'exited')
    await world.network(dead)
    await world.volume(sharedVolume)
    await world.container({})
    await world.volume({})
    const listed = await listSessions(world.engine)
    expect(listed.map(({ kind, state, owner }) => [kind, state, owner.state]).toSorted()).toEqual([
      ['container', 'created', 'dead'],
      ['container', 'exited', 'unknown'],
      ['network', undefined, 'dead'],
      ['volume', undefined, 'shared'],
    ])
  })
})

describe('one listed object', () => {
  const listed = { kind: 'volume', id: 'v', name: 'v', createdAt: undefined, labels: {} } as const
  const now = new Date('2026-01-01T00:00:10Z')

  it('has the time since its creation as its age', () => {
    const object = describeObject({ ...listed, createdAt: new Date('2026-01-01T00:00:00Z') }, now)
    expect(object).toMatchObject({ createdAt: '2026-01-01T00:00:00.000Z', ageMs: 10_000 })
  })

  it("is never younger than nothing, whatever the engine's clock says", () => {
    expect(describeObject({ ...listed, createdAt: new Date('2027-01-01T00:00:00Z') }, now).ageMs).toBe(0)
  })

  it('has no age where the engine tells none that can be read', () => {
    expect(describeObject({ ...listed, createdAt: new Date('yesterday') }, now)).not.toHaveProperty('ageMs')
    expect(describeObject(listed, now)).not.toHaveProperty('createdAt')
  })

  it.each(['', 'x', '-1', '0', '1.5'])('has no owner for a pid that is none: %j', (pid) => {
    const { owner } = describeObject({ ...listed, labels: { ...livingOwner(), [labelNames.ownerPid]: pid } }, now)
    expect(owner).toEqual({ state: 'unknown' })
  })
})
