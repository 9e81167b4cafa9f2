import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { endOf, startCli } from '../support/cli.ts'
import { EngineWorld } from '../support/engine-world.ts'
import { workspaceFolder } from '../support/folder.ts'
import { isRunning } from '../support/is-running.ts'
import { eventually } from '../support/poll.ts'
import { stdioClient } from './support/mcp-server.ts'

const engine = await EngineWorld.open()

/** A client with a command in the foreground, one in the background and one that ignores TERM. */
async function busyClient() {
  const client = await stdioClient(workspaceFolder(), '--grace=200')
  await client.bash('sleep 1300', { run_in_background: true })
  const foreground = client.bash(`trap '' TERM; echo; while :; do sleep 0.1; done`)
  foreground.catch(() => undefined)
  await eventually('it runs', async () => {
    const [id] = await engine.containersOf(client.facts.serverPid)
    return id !== undefined && (await engine.processesIn(id)).some((line) => line.startsWith('sleep 0.1'))
  })
  return { client, serverPid: client.facts.serverPid! }
}

async function expectNothingLeft(serverPid: number): Promise<void> {
  await eventually('the server has ended', () => !isRunning(serverPid))
  await eventually('its containers are gone', async () => (await engine.objectsOf(serverPid)).length === 0)
}

describe('bash-docker mcp over stdio ends with everything that it started', () => {
  it('when its client takes its leave', async () => {
    const { client, serverPid } = await busyClient()
    await client.leave()
    await expectNothingLeft(serverPid)
  })

  it('when its client is killed', async () => {
    const { client, serverPid } = await busyClient()
    await client.kill()
    await expectNothingLeft(serverPid)
  })

  it('when it is interrupted', async () => {
    const { serverPid } = await busyClient()
    process.kill(serverPid, 'SIGTERM')
    await expectNothingLeft(serverPid)
  })

  it('when it is killed', async () => {
    const { serverPid } = await busyClient()
    process.kill(serverPid, 'SIGKILL')
    await expectNothingLeft(serverPid)
  })
})

describe('the exit status of bash-docker mcp', () => {
  it('is 0 after the end of input, with nothing but the protocol on standard output', async () => {
    const child = startCli(['mcp'], { cwd: workspaceFolder(), stdin: 'open' })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    child.stdin!.write(`${JSON.stringify(ping)}\n`)
    await once(child.stdout!, 'readable')
    child.stdin!.end()
    const { status, stdout, stderr } = await endOf(child)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout.toString())).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it.each([
    ['--stdin=-', 'unknown option --stdin'],
    ['--local', 'unknown option --local'],
    ['--port=1', '--port means nothing without --http'],
  ])('is 125 with %s', async (option, message) => {
    const { status, stderr } = await endOf(startCli(['mcp', option], { cwd: workspaceFolder() }))
    expect(status).toBe(125)
    expect(stderr).toContain(message)
  })
})
