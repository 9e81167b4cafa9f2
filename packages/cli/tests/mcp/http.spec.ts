import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { cli } from '../support/cli.ts'
import { EngineWorld } from '../support/engine-world.ts'
import { workspaceFolder } from '../support/folder.ts'
import { eventually } from '../support/poll.ts'
import { type HttpServer, httpServer } from './support/mcp-server.ts'
import { errorCodeOf, structured, textOf } from './support/results.ts'

const engine = await EngineWorld.open()

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/**
 * One request as any program could make it. Not by `fetch`, which sends a Host of its own whatever it is given:
 * that header is what a name that was rebound to this machine comes with.
 */
async function ask(
  { port, token }: HttpServer,
  { method = 'POST', path = '/mcp', headers = {}, body = initialize as object | null } = {},
): Promise<Answer> {
  const asked = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  })
  asked.end(body === null ? undefined : JSON.stringify(body))
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode!, headers: response.headers, body: await text(response) }
}

describe('bash-docker mcp over HTTP lets in', () => {
  let server: HttpServer
  let endServer: () => Promise<void>
  beforeAll(async () => {
    const atEnd = (end: () => Promise<void>): void => {
      endServer = end
    }
    server = await httpServer(tmpdir(), ['--workspace=none'], { atEnd })
  })
  afterAll(() => endServer())

  it.each([
    ['nobody without the token', { authorization: '' }, 401],
    ['nobody with another token', { authorization: 'Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }, 401],
    ['nobody by another name, such as one that a page lets point here', { host: 'rebound.example:80' }, 403],
    ['nobody by an address of another port', { host: '127.0.0.1:1' }, 403],
    ['no page of another origin', { origin: 'https://example.org' }, 403],
    ['no page without an origin', { origin: 'null' }, 403],
  ])('%s', async (_who, headers, status) => {
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      expect(await ask(server, { method, headers, body: null })).toMatchObject({ status })
    }
    expect((await ask(server)).status).toBe(200)
  })

  it('a client by each name of the loopback address', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const host = `${name}:${server.port}`
      expect((await ask(server, { headers: { host, origin: `http://${host}` } })).status).toBe(200)
    }
  })

  it('says which token is wanted, and where', async () => {
    expect(server.lines[0]).toBe(`bash-docker: serving MCP at http://127.0.0.1:${server.port}/mcp`)
    expect(server.lines[1]).toMatch(/^bash-docker: the token is [\w-]{43}$/)
    const { headers } = await ask(server, { headers: { authorization: '' } })
    expect(headers['www-authenticate']).toBe('Bearer realm="bash-docker"')
    expect((await ask(server, { path: '/other' })).status).toBe(404)
  })

  it('nobody from elsewhere: it listens on loopback alone', async () => {
    const refused = await cli(['mcp', '--http', '--host=0.0.0.0'], { cwd: workspaceFolder() })
    expect(refused.status).toBe(125)
    expect(refused.stderr).toContain('--host takes 127.0.0.1 or ::1')
    const other = await httpServer(workspaceFolder(), ['--host=::1'])
    expect(other.url).toBe(`http://[::1]:${other.port}/mcp`)
    expect(textOf(await (await other.connect()).bash('echo hi'))).toBe('hi\n')
  })

  it('so many clients and no more', async () => {
    const full = await httpServer(workspaceFolder(), ['--max-clients=2'])
    const first = await ask(full)
    expect((await ask(full)).status).toBe(200)
    expect((await ask(full)).status).toBe(503)
    const headers = { 'mcp-session-id': String(first.headers['mcp-session-id']) }
    expect((await ask(full, { method: 'DELETE', headers, body: null })).status).toBe(200)
    expect((await ask(full)).status).toBe(200)
  })
})

describe('the token of bash-docker mcp', () => {
  it('comes from a file, and is not shown then', async () => {
    const cwd = workspaceFolder()
    const token = 'a-token-of-the-operator'
    writeFileSync(join(cwd, 'token'), `${token}\n`, { mode: 0o600 })
    chmodSync(join(cwd, 'token'), 0o600)
    const server = await httpServer(cwd, [`--token-file=${join(cwd, 'token')}`], { token })
    expect((await ask(server)).status).toBe(200)
    expect(server.lines).toHaveLength(1)
  })

  it('comes from the environment, which no command sees', async () => {
    const token = 'a-token-of-the-operator'
    const env = { BASH_DOCKER_MCP_TOKEN: token }
    const options = ['--inherit=BASH_DOCKER_MCP_TOKEN,PATH']
    const server = await httpServer(workspaceFolder(), options, { token, env })
    const client = await server.connect()
    expect(textOf(await client.bash('echo "[$BASH_DOCKER_MCP_TOKEN]"'))).toBe('[]\n')
  })

  it('is refused when it can be guessed', async () => {
    const env = { BASH_DOCKER_MCP_TOKEN: 'short' }
    const { status, stderr } = await cli(['mcp', '--http', '--port=0'], { cwd: workspaceFolder(), env })
    expect(status).toBe(125)
    expect(stderr).toContain('the token in BASH_DOCKER_MCP_TOKEN is not one')
  })
})

it('bash-docker mcp names a port that it cannot have', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const { status, stderr } = await cli(['mcp', '--http', `--port=${port}`], { cwd: workspaceFolder() })
  expect(status).toBe(125)
  expect(stderr).toContain('(LISTEN_FAILED)')
})

describe('clients of one server', () => {
  it('reach neither the tasks, nor the files, nor the spilled output of each other', async () => {
    const server = await httpServer(workspaceFolder())
    const [mine, other] = [await server.connect(), await server.connect()]
    await mine.bash('echo up; sleep 1400', { run_in_background: true })
    const spilled = structured<{ stdout: { spillPath: string } }>(await mine.bash('seq 1 40000; touch /tmp/mine'))
    const uri = `bash-docker://spill${spilled.stdout.spillPath}`
    await mine.request('resources/read', { uri })

    for (const tool of ['bash_output', 'bash_kill']) {
      expect(errorCodeOf(await other.call(tool, { task_id: 'bash-1' }).result)).toBe('TASK_UNKNOWN')
    }
    await expect(other.request('resources/read', { uri })).rejects.toMatchObject({ code: -32_002 })
    expect(await other.request('resources/list')).toMatchObject({ resources: [] })
    expect(
      textOf(
        await other.bash(`[ -e /tmp/mine ] && echo seen; cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -c '140[0]'`),
      ),
    ).toBe('0\n[exit code: 1]')
    expect(await engine.containersOf(server.child.pid)).toHaveLength(2)
    const { task } = structured<{ task: unknown }>(await mine.call('bash_output', { task_id: 'bash-1' }).result)
    expect(task).toMatchObject({ status: 'running' })
  })

  it('cannot use the session of another once it has ended', async () => {
    const server = await httpServer(workspaceFolder())
    const { headers } = await ask(server)
    const session = { headers: { 'mcp-session-id': String(headers['mcp-session-id']) } }
    expect((await ask(server, { ...session, method: 'DELETE', body: null })).status).toBe(200)
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    expect((await ask(server, { ...session, body: list })).status).toBe(404)
    expect((await ask(server, { headers: { 'mcp-session-id': 'unknown' }, body: list })).status).toBe(404)
    expect((await ask(server, { body: list })).status).toBe(400)
  })
})

it('a call over HTTP that was cancelled is answered by the end of its stream', async () => {
  const server = await httpServer(workspaceFolder())
  const { headers } = await ask(server)
  const session = { headers: { 'mcp-session-id': String(headers['mcp-session-id']) } }
  const params = { name: 'bash', arguments: { command: 'sleep 1405', description: 'Sleep' } }
  const answered = ask(server, { ...session, body: { jsonrpc: '2.0', id: 2, method: 'tools/call', params } })
  await eventually('it runs', async () => {
    const [id] = await engine.containersOf(server.child.pid)
    return id !== undefined && (await engine.processesIn(id)).includes('sleep 1405')
  })
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }
  expect((await ask(server, { ...session, body: cancelled })).status).toBe(202)
  expect(await answered).toMatchObject({ status: 200, body: '' })
})

describe('a client over HTTP takes its container along', () => {
  it('when it takes its leave: nothing is left when it is answered', async () => {
    const server = await httpServer(workspaceFolder())
    const client = await server.connect()
    await client.bash('sleep 1401', { run_in_background: true })
    await eventually('it has a container', async () => (await engine.containersOf(server.child.pid)).length === 1)
    await client.leave()
    expect(await engine.objectsOf(server.child.pid)).toEqual([])
  })

  it('when it is killed under a command, soon afterwards', async () => {
    const server = await httpServer(workspaceFolder(), ['--reconnect=300'])
    const [victim, other] = [await server.connect(), await server.connect()]
    await other.bash('true')
    const running = victim.bash('exec sleep 1402')
    running.catch(() => undefined)
    await eventually('both have a container', async () => (await engine.containersOf(server.child.pid)).length === 2)
    await victim.kill()
    await eventually('one is left', async () => (await engine.containersOf(server.child.pid)).length === 1)
    expect(textOf(await other.bash('echo still here'))).toBe('still here\n')
  })

  it('when it holds no stream and says nothing for long', async () => {
    const server = await httpServer(workspaceFolder(), ['--idle=2s'])
    const { headers } = await ask(server)
    const session = { headers: { 'mcp-session-id': String(headers['mcp-session-id']) } }
    const params = { name: 'bash', arguments: { command: 'sleep 1403', description: 'x', run_in_background: true } }
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params }
    expect((await ask(server, { ...session, body: call })).status).toBe(200)
    await eventually('it has a container', async () => {
      await ask(server, { ...session, body: { jsonrpc: '2.0', id: 3, method: 'ping' } }) // it is still there
      return (await engine.containersOf(server.child.pid)).length === 1
    })
    await eventually('it is gone', async () => (await engine.objectsOf(server.child.pid)).length === 0)
    expect((await ask(server, { ...session, body: call })).status).toBe(404)
  })

  it('when the server is interrupted, which reports it', async () => {
    const server = await httpServer(workspaceFolder())
    const clients = [await server.connect(), await server.connect()]
    for (const client of clients) await client.bash('sleep 1404', { run_in_background: true })
    await eventually('both have a container', async () => (await engine.containersOf(server.child.pid)).length === 2)
    server.child.kill('SIGINT')
    expect(await once(server.child, 'exit')).toEqual([130, null])
    expect(await engine.objectsOf(server.child.pid)).toEqual([])
  })
})
