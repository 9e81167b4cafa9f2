import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectEngine, labelNames, startContainer } from '../../src/index.ts'
import { containerSpec, testContainer } from '../support/container.ts'
import { EngineProxy } from '../support/engine-proxy.ts'
import { type TestEngine, testEngine } from '../support/engine.ts'
import { run } from '../support/run.ts'

let test: TestEngine
beforeAll(async () => {
  test = await testEngine()
})

/** How many containers of a session the engine lists, in whatever state, asked past our code. */
async function count(sessionId: string): Promise<number> {
  const filters = { label: [`${labelNames.session}=${sessionId}`] }
  return (await test.docker.listContainers({ all: true, filters })).length
}

describe('the end of a container', () => {
  it('leaves nothing on the engine, and again is no error', async () => {
    const container = await testContainer(test)
    expect(await count(container.sessionId)).toBe(1)
    await Promise.all([container.end(), container.end()])
    expect(await count(container.sessionId)).toBe(0)
    expect([container.isEnded, await container.ended]).toEqual([true, { reason: 'ended' }])
    await container.end()
  })

  it('is noticed when somebody kills it, and the engine removes it', async () => {
    const container = await testContainer(test)
    await test.docker.getContainer(container.id).kill()
    expect(await container.ended).toEqual({ reason: 'lost' })
    expect(container.isEnded).toBe(true)
    await expect.poll(() => count(container.sessionId)).toBe(0)
    await container.end()
  })

  it('is noticed when somebody removes it, and ending it is no error', async () => {
    const container = await testContainer(test)
    await test.docker.getContainer(container.id).remove({ force: true })
    expect(await container.ended).toEqual({ reason: 'lost' })
    await container.end()
    expect(await count(container.sessionId)).toBe(0)
  })

  it('comes with the end of the connection to the engine, and is no error then', async () => {
    using proxy = await EngineProxy.start(test.engine.endpoint.socketPath ?? '')
    const engine = await connectEngine({ host: proxy.host })
    const container = await startContainer(engine, containerSpec(test.image))
    const exec = run(container, 'echo up; sleep 600')
    exec.catch(() => undefined) // looked at below
    await expect.poll(() => processes(container.id)).toContain('sleep 600')
    proxy.cut()
    expect(await container.ended).toEqual({ reason: 'lost' })
    await expect(exec).rejects.toMatchObject({ code: 'SESSION_LOST' })
    await container.end()
    await expect.poll(() => count(container.sessionId)).toBe(0)
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)('comes with the end of its process by %s', async (signal) => {
    const holder = hold()
    const [sessionId] = (await once(holder, 'message')) as [string]
    expect(await count(sessionId)).toBe(1)
    holder.kill(signal)
    await once(holder, 'exit')
    await expect.poll(() => count(sessionId)).toBe(0)
  })

  it('comes with the end of a process that has nothing else to do: it is not kept alive', async () => {
    const holder = hold()
    const [sessionId] = (await once(holder, 'message')) as [string]
    holder.send('nothing more')
    expect(await once(holder, 'exit')).toEqual([0, null])
    await expect.poll(() => count(sessionId)).toBe(0)
  })
})

function hold(): ReturnType<typeof fork> {
  const path = fileURLToPath(new URL('../support/holder.ts', import.meta.url))
  return fork(path, { execArgv: ['--conditions=bash-docker-source'] })
}

async function processes(id: string): Promise<string> {
  const { Processes: list } = (await test.docker.getContainer(id).top({ ps_args: '-eo pid,args' })) as {
    Processes: string[][]
  }
  return list.map((fields) => fields.join(' ')).join('\n')
}
