import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EngineWorld } from '../support/engine-world.ts'
import { workspaceFolder } from '../support/folder.ts'
import { eventually } from '../support/poll.ts'
import { bytesOf, errorCodeOf, structured, textOf } from './support/results.ts'
import { reach, ways } from './support/ways.ts'

const engine = await EngineWorld.open()

interface Foreground {
  stdout: { text: string; truncated: boolean; spillPath?: string }
}

/** Whether a container runs a program with these arguments. */
async function runs(serverPid: number, commandLine: string): Promise<boolean> {
  for (const id of await engine.containersOf(serverPid)) {
    if ((await engine.processesIn(id)).includes(commandLine)) return true
  }
  return false
}

describe.each(ways)('bash over %s', (way) => {
  it('runs in a container that sees the workspace, with results for a model and for a program', async () => {
    const cwd = workspaceFolder()
    writeFileSync(join(cwd, 'notes.txt'), 'hello\n')
    const { client, serverPid } = await reach(way, cwd)
    expect(await engine.containersOf(serverPid)).toEqual([])
    const result = await client.bash('hostname; pwd; cat notes.txt; echo oops >&2; exit 3')
    expect(textOf(result)).toBe(`sandbox\n${cwd}\nhello\n[stderr]\noops\n[exit code: 3]`)
    expect(hostname()).not.toBe('sandbox')
    expect(result.structuredContent).toMatchObject({
      kind: 'foreground',
      exitCode: 3,
      signal: null,
      timedOut: false,
      stdout: { text: `sandbox\n${cwd}\nhello\n`, truncated: false },
      stderr: { text: 'oops\n', truncated: false },
    })
    expect(result.isError).toBeUndefined()
    expect(await engine.containersOf(serverPid)).toHaveLength(1)
    expect(await engine.containersIn(cwd)).toHaveLength(1)
  })

  it('tells the model where it is', async () => {
    const cwd = workspaceFolder()
    const { client } = await reach(way, cwd)
    expect(client.facts.instructions).toContain(`The workspace is ${cwd}, at the same path as on the host, read-only.`)
    expect(client.facts.instructions).toContain('There is no network.')
    expect(client.facts.capabilities).toEqual({ tools: {}, resources: { listChanged: true } })
  })

  it('runs calls side by side, in one container', async () => {
    const { client, serverPid } = await reach(way, workspaceFolder())
    // Each waits for the other two.
    const meet = (name: string): string =>
      `touch /tmp/${name}; until [ -e /tmp/a -a -e /tmp/b -a -e /tmp/c ]; do sleep 0.05; done`
    const results = await Promise.all(['a', 'b', 'c'].map((name) => client.bash(`${meet(name)}; echo ${name}`)))
    expect(results.map(textOf)).toEqual(['a\n', 'b\n', 'c\n'])
    expect(await engine.containersOf(serverPid)).toHaveLength(1)
  })

  it('reports progress while a command runs, to whoever asks', async () => {
    const cwd = workspaceFolder()
    const { client } = await reach(way, cwd)
    const args = { command: 'echo step one; until [ -e go ]; do sleep 0.05; done', description: 'Wait for a file' }
    const call = client.call('bash', args, { wantsProgress: true })
    const report = await eventually('the output is reported', () =>
      call.progress.find(({ message }) => message.includes('9 bytes of output: step one')),
    )
    expect(report.message).toMatch(/^running for \d+ s, /)
    await eventually('there is a further report', () => call.progress.at(-1)!.progress > report.progress)
    writeFileSync(join(cwd, 'go'), '')
    expect(textOf(await call.result)).toBe('step one\n')
    const numbers = call.progress.map(({ progress }) => progress)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })

  it('ends a command with its tree when the call is cancelled, and goes on', async () => {
    const { client, serverPid } = await reach(way, workspaceFolder())
    const call = client.call('bash', { command: 'sleep 1234 & sleep 1235; :', description: 'Sleep' })
    for (const line of ['sleep 1234', 'sleep 1235']) await eventually(`${line} runs`, () => runs(serverPid, line))
    call.cancel()
    await expect(call.result).rejects.toThrow('the test wants it')
    for (const line of ['sleep 1234', 'sleep 1235']) {
      await eventually(`${line} has ended`, async () => !(await runs(serverPid, line)))
    }
    expect(textOf(await client.bash('echo on'))).toBe('on\n')
    expect(await engine.containersOf(serverPid)).toHaveLength(1)
  })

  it('runs a command in the background, reads it, and ends it', async () => {
    const { client, serverPid } = await reach(way, workspaceFolder())
    const started = await client.bash('echo up; exec sleep 1236', { run_in_background: true })
    expect(started.structuredContent).toEqual({ kind: 'background', taskId: 'bash-1' })
    const task = { task_id: 'bash-1' }
    const read = await eventually('it has printed', async () => {
      const result = await client.call('bash_output', task).result
      return structured<{ delta: string }>(result).delta === '' ? undefined : result
    })
    expect(textOf(read)).toBe('up\n[status: running]')
    expect(read.structuredContent).toMatchObject({ delta: 'up\n', task: { id: 'bash-1', status: 'running' } })
    await eventually('it runs', () => runs(serverPid, 'sleep 1236'))
    const killed = await client.call('bash_kill', task).result
    expect(killed.structuredContent).toMatchObject({ wasRunning: true, task: { status: 'killed' } })
    await eventually('it has ended', async () => !(await runs(serverPid, 'sleep 1236')))
    expect(errorCodeOf(await client.call('bash_output', { task_id: 'bash-2' }).result)).toBe('TASK_UNKNOWN')
  })

  it('cuts long output, and gives all of it as a resource', async () => {
    const cwd = workspaceFolder()
    const { client } = await reach(way, cwd, '--write')
    expect(await client.request('resources/list')).toMatchObject({ resources: [] })
    const text = await client.bash('seq -f "Zeile %g: öäü" 1 40000 | tee text')
    const bytes = await client.bash('head -c 300000 /dev/urandom | tee bytes')
    const paths = [text, bytes].map((result) => structured<Foreground>(result).stdout.spillPath)
    const { resources } = (await client.request('resources/list')) as { resources: { uri: string }[] }
    expect(resources.map(({ uri }) => uri)).toEqual(paths.map((path) => `bash-docker://spill${path}`))
    expect(text.content[1]).toMatchObject({ type: 'resource_link', uri: resources[0]!.uri })
    for (const [index, file] of ['text', 'bytes'].entries()) {
      const read = await client.request('resources/read', { uri: resources[index]!.uri })
      expect(bytesOf(read).equals(readFileSync(join(cwd, file)))).toBe(true)
    }
    await eventually('the client was told', () => client.notifications.includes('notifications/resources/list_changed'))
  })

  it('gives separators of lines that are none of the protocol', async () => {
    const { client } = await reach(way, workspaceFolder())
    const text = 'a\u0085b\u2028c\u2029d\n'
    expect(structured<Foreground>(await client.bash(`printf 'a\\u0085b\\u2028c\\u2029d\\n'`)).stdout.text).toBe(text)
  })

  it('gives a file that is longer than a message in parts', async () => {
    const cwd = workspaceFolder()
    const { client } = await reach(way, cwd, '--write')
    const result = await client.bash('head -c 2500000 /dev/urandom | tee bytes')
    const uri = `bash-docker://spill${structured<Foreground>(result).stdout.spillPath}`
    const refused = client.request('resources/read', { uri })
    await expect(refused).rejects.toMatchObject({ code: -32_602, data: { first: `${uri}?offset=0&length=1048576` } })
    const parts: Buffer[] = []
    for (let next: string | undefined = `${uri}?offset=0`; next !== undefined;) {
      const read = await client.request('resources/read', { uri: next })
      parts.push(bytesOf(read))
      const [{ _meta }] = read['contents'] as [{ _meta: Record<string, { next?: string }> }]
      next = _meta['bash-docker/page']?.next
    }
    expect(parts).toHaveLength(3)
    expect(Buffer.concat(parts).equals(readFileSync(join(cwd, 'bytes')))).toBe(true)
    const { resourceTemplates } = await client.request('resources/templates/list')
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'bash-docker://spill{+path}{?offset,length}' }])
  })

  it('gives no other file', async () => {
    const { client } = await reach(way, workspaceFolder())
    await client.bash('echo secret > /tmp/secret')
    for (const uri of ['bash-docker://spill/tmp/secret', 'file:///etc/hostname', 'bash-docker://spill/etc/hostname']) {
      const read = client.request('resources/read', { uri })
      await expect(read).rejects.toMatchObject({ code: -32_002, data: { uri, code: 'SPILL_UNAVAILABLE' } })
    }
  })

  it('refuses arguments that it does not know, and runs nothing then', async () => {
    const cwd = workspaceFolder()
    const { client, serverPid } = await reach(way, cwd, '--write')
    const result = await client.bash('touch ran', { stdin: 'injected', env: { INJECTED: 'injected' } })
    expect(errorCodeOf(result)).toBe('ARGUMENTS_INVALID')
    expect(textOf(result)).toContain('unknown argument "stdin"; unknown argument "env"')
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
    expect(await engine.containersOf(serverPid)).toEqual([])
  })

  it('gives a command neither standard input nor variables, but those of whoever started the server', async () => {
    const { client } = await reach(way, workspaceFolder(), '--env=GIVEN=by the operator', '--inherit=none')
    const result = await client.bash('readlink /proc/self/fd/0; echo "$GIVEN"; env | grep -c DOCKER')
    expect(textOf(result)).toBe('/dev/null\nby the operator\n0\n[exit code: 1]')
  })

  it('says so when there is no engine, and runs nothing on this host', async () => {
    const cwd = workspaceFolder()
    const { client } = await reach(way, cwd, '--write', `--engine=unix://${join(cwd, 'none.sock')}`)
    const result = await client.bash(`touch ${join(cwd, 'ran')}`)
    expect(errorCodeOf(result)).toBe('ENGINE_UNREACHABLE')
    expect(textOf(result)).toContain('(ENGINE_UNREACHABLE). Start the engine that was chosen')
    await client.bash(`touch ${join(cwd, 'ran')}`, { run_in_background: true })
    const task = { task_id: 'bash-1' }
    const output = await eventually('the task has ended', async () => {
      const { delta } = structured<{ delta: string }>(await client.call('bash_output', task).result)
      return delta === '' ? undefined : delta
    })
    expect(output).toMatch(/^\[stderr\]\nspawn failed: /)
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })
})

describe('bash over stdio, with --transport exec', () => {
  it('runs, is cancelled and spills as well', async () => {
    const cwd = workspaceFolder()
    const { client, serverPid } = await reach('stdio', cwd, '--write', '--transport=exec')
    const result = await client.bash('head -c 300000 /dev/urandom | tee bytes')
    const uri = `bash-docker://spill${structured<Foreground>(result).stdout.spillPath}`
    expect(bytesOf(await client.request('resources/read', { uri })).equals(readFileSync(join(cwd, 'bytes')))).toBe(true)
    const call = client.call('bash', { command: 'exec sleep 1237', description: 'Sleep' })
    await eventually('it runs', () => runs(serverPid, 'sleep 1237'))
    call.cancel()
    await expect(call.result).rejects.toThrow('the test wants it')
    await eventually('it has ended', async () => !(await runs(serverPid, 'sleep 1237')))
  })
})
