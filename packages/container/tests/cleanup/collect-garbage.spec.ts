import { SandboxError } from 'dsh-bash-error'
import { beforeAll, describe, expect, it } from 'vitest'
import { collectGarbage } from '../../src/index.ts'
import { type TestEngine, testEngine } from '../support/engine.ts'
import {
  deadOwner,
  livingOwner,
  ManagedWorld,
  ownerBeforePidWasReused,
  ownerElsewhere,
  sharedVolume,
} from './managed-world.ts'

let test: TestEngine

beforeAll(async () => {
  test = await testEngine()
})

describe('collecting garbage', () => {
  it.each(['created', 'running', 'paused', 'exited'] as const)(
    'removes a %s container of a dead owner',
    async (state) => {
      await using world = new ManagedWorld(test)
      const id = await world.container(await deadOwner(), state)
      const { removed, kept, failed } = await collectGarbage(world.engine)
      expect(removed).toMatchObject([{ kind: 'container', id, state }])
      expect([kept, failed]).toEqual([[], []])
      expect(await world.ids()).toEqual([])
    },
  )

  it('removes what an owner left whose pid belongs to another process now', async () => {
    await using world = new ManagedWorld(test)
    await world.container(ownerBeforePidWasReused(), 'running')
    expect((await collectGarbage(world.engine)).removed).toHaveLength(1)
    expect(await world.ids()).toEqual([])
  })

  it('removes volumes and networks of a dead owner, also where its containers use them', async () => {
    await using world = new ManagedWorld(test)
    const dead = await deadOwner()
    const volume = await world.volume(dead)
    await world.container(dead, 'running', volume)
    await world.network(dead)
    const { removed } = await collectGarbage(world.engine)
    expect(removed.map(({ kind }) => kind)).toEqual(['container', 'network', 'volume'])
    expect(await world.ids()).toEqual([])
  })

  it.each([{ force: false }, { force: true }])('keeps everything of a living owner (%o)', async (options) => {
    await using world = new ManagedWorld(test)
    const alive = livingOwner()
    const ids = [await world.container(alive, 'running'), await world.network(alive), await world.volume(alive)]
    const { kept, removed } = await collectGarbage(world.engine, options)
    expect(removed).toEqual([])
    expect(kept.map(({ id }) => id)).toEqual(ids)
    expect(kept[0]?.reason).toBe(`its owner, process ${process.pid}, is alive`)
    expect(await world.ids()).toEqual(ids)
  })

  it('keeps what nobody here can judge, unless forced', async () => {
    await using world = new ManagedWorld(test)
    const elsewhere = await world.container(ownerElsewhere(), 'running')
    const nobodys = await world.container({ 'bash-docker.managed': 'true' })
    const { kept, removed } = await collectGarbage(world.engine)
    expect(removed).toEqual([])
    expect(kept.map(({ owner }) => owner.state)).toEqual(['unknown', 'unknown'])
    expect((await world.ids()).toSorted()).toEqual([elsewhere, nobodys].toSorted())
    expect((await collectGarbage(world.engine, { force: true })).removed).toHaveLength(2)
    expect(await world.ids()).toEqual([])
  })

  it('touches nothing without our label, even when forced', async () => {
    await using world = new ManagedWorld(test)
    const strangers = [await world.container({}, 'running'), await world.network({}), await world.volume({})]
    await world.container(await deadOwner())
    expect((await collectGarbage(world.engine, { force: true })).removed).toHaveLength(1)
    expect(await world.ids()).toEqual(strangers)
  })

  it('removes a shared volume once no container uses it', async () => {
    await using world = new ManagedWorld(test)
    const volume = await world.volume(sharedVolume)
    const user = await world.container(livingOwner(), 'created', volume)
    const inUse = await collectGarbage(world.engine)
    expect(inUse.failed).toEqual([])
    expect(inUse.kept).toMatchObject([{ id: user }, { id: volume, owner: { state: 'shared' } }])
    expect(await world.ids()).toContain(volume)
    await test.docker.getContainer(user).remove()
    expect((await collectGarbage(world.engine)).removed).toMatchObject([{ id: volume }])
    expect(await world.ids()).toEqual([])
  })

  it("keeps a dead owner's network that a stranger's container uses", async () => {
    await using world = new ManagedWorld(test)
    const network = await world.network(await deadOwner())
    const stranger = await world.container({}, 'running')
    await test.docker.getNetwork('none').disconnect({ Container: stranger })
    await test.docker.getNetwork(network).connect({ Container: stranger })
    const { kept, failed } = await collectGarbage(world.engine)
    expect(failed).toEqual([])
    expect(kept).toMatchObject([{ id: network, reason: expect.stringContaining('active endpoints') }])
  })

  it('removes a container that the engine lists and does not yet know by its id', async () => {
    await using world = new ManagedWorld(test)
    const id = await world.container(await deadOwner())
    let unknownFor = 2
    const engine = {
      ...world.engine,
      port: {
        ...world.engine.port,
        // What the engine does while it creates one: 404, which is nothing to remove.
        removeContainer: (name: string) =>
          unknownFor-- > 0 ? Promise.resolve() : world.engine.port.removeContainer(name),
        inspectContainer: (name: string) =>
          unknownFor > 0 ? Promise.resolve(undefined) : world.engine.port.inspectContainer(name),
      },
    }
    expect((await collectGarbage(engine)).removed).toMatchObject([{ id }])
    expect(await world.ids()).toEqual([])
  })

  it('goes on after a removal that fails, and says why', async () => {
    await using world = new ManagedWorld(test)
    const dead = await deadOwner()
    const [stuck, other] = [await world.volume(dead), await world.volume(dead)].toSorted()
    const engine = {
      ...world.engine,
      port: {
        ...world.engine.port,
        removeVolume: (name: string): Promise<void> =>
          name === stuck
            ? Promise.reject(new SandboxError('ENGINE_REFUSED', 'cannot remove: broken', { context: { status: 500 } }))
            : world.engine.port.removeVolume(name),
      },
    }
    const { removed, failed } = await collectGarbage(engine)
    expect(removed).toMatchObject([{ id: other }])
    expect(failed).toMatchObject([{ id: stuck, reason: 'cannot remove: broken' }])
  })
})
