import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import Docker from 'dockerode'
import { connectEngine } from 'dsh-container'
import { beforeAll, expect, it } from 'vitest'
import { createDockerBash } from '../src/index.ts'

let docker: Docker

beforeAll(async () => {
  const { endpoint } = await connectEngine()
  docker = new Docker({ socketPath: endpoint.socketPath })
})

/** Everything that the engine has told since `startedSeconds`, of all its objects. */
async function eventsSince(startedSeconds: number): Promise<string> {
  const until = Math.ceil(Date.now() / 1000)
  return text(
    (await docker.getEvents({ since: startedSeconds, until })) as NodeJS.ReadableStream & AsyncIterable<string>,
  )
}

it('tells the engine nothing of what a trusted caller passes', async () => {
  const startedSeconds = Math.floor(Date.now() / 1000)
  const [variable, input] = [randomUUID(), randomUUID()]
  let containerId: string
  {
    await using bash = await createDockerBash()
    const spec = bash.resolve({ command: 'echo "$PASSED"; cat', env: { PASSED: variable }, stdin: input })
    const { stdout, sandbox } = await bash.run(spec)
    // The command did get both.
    expect(stdout.text).toBe(`${variable}\n${input}`)
    const label = [`bash-docker.session=${sandbox?.sessionId}`]
    const [container] = await docker.listContainers({ filters: { label } })
    containerId = container?.Id ?? expect.unreachable()
    const inspected = JSON.stringify(await docker.getContainer(containerId).inspect())
    const processes = JSON.stringify(await docker.getContainer(containerId).top())
    for (const told of [inspected, processes]) {
      expect(told).not.toContain(variable)
      expect(told).not.toContain(input)
    }
  }
  const events = await eventsSince(startedSeconds)
  expect(events).toContain(containerId)
  expect(events).not.toContain(variable)
  expect(events).not.toContain(input)
})
