import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Dsh } from './support/dsh.ts'
import { ScriptedModel, type Step } from './support/scripted-model.ts'
import { containersOf, processesWith, until } from './support/world.ts'

const installMs = 600_000

function call(name: string, args: Readonly<Record<string, unknown>>): Step {
  return { calls: [{ name, arguments: args }] }
}

function bash(command: string, more: Readonly<Record<string, unknown>> = {}): Step {
  return call('bash', { command, description: 'a step of the test', ...more })
}

describe('the dsh program with the bundle', { timeout: 180_000 }, () => {
  let dsh: Dsh
  let workspace: string
  beforeAll(async () => {
    dsh = await Dsh.withBundle()
  }, installMs)
  afterAll(() => dsh[Symbol.asyncDispose]())
  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), 'bash-docker-dsh-work-'))
  })
  afterEach(() => rmSync(workspace, { recursive: true, force: true }))

  it('has it as a layer of the profile, with nothing left that would run on the host', async () => {
    expect(JSON.parse(await dsh.manifest())).toMatchObject({
      dsh: { profile: { bundles: expect.arrayContaining(['dsh-sandbox-docker']) } },
    })
    const dump = await dsh.runPlain(['--profile', 'headless', '--dump-config'], workspace)
    for (const row of ['subprocess', 'bash-sandbox', 'sandbox', 'fs-sandbox', 'permission', 'spill-local']) {
      expect(dump).toMatch(new RegExp(`- id: ${row}\\n(?:  .*\\n)*?  disabled: true\\n`))
    }
  })

  it('completes a turn whose every effect is in the container and the workspace', async () => {
    const path = join(workspace, 'written.txt')
    await using model = await ScriptedModel.start([
      () => bash('hostname; tr "\\0" " " < /proc/1/cmdline; echo; ln -s /etc/hostname leak; echo by-bash > from-bash'),
      () => bash('sleep 3611.5 & echo background-up; wait', { run_in_background: true }),
      () => call('write', { file_path: path, content: 'first line\nsecond line\n' }),
      () => call('edit', { file_path: path, old_string: 'second', new_string: 'changed' }),
      () => call('read', { file_path: path }),
      () => call('read', { file_path: join(workspace, 'leak') }),
      () => call('glob', { pattern: '*.txt' }),
      () => call('grep', { pattern: 'chang.d' }),
      (results) => call('job_output', { job_id: /job (\S+)/.exec(results[1] ?? '')?.[1] }),
      () => ({ text: 'all is done' }),
    ])
    const run = dsh.start('work through the script', { cwd: workspace, modelUrl: model.baseUrl })
    const { status, stdout, stderr } = await run.outcome
    expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: 'all is done\n' })

    const [atBash = '', , , edited, read, leak, globbed, grepped, job] = model.results
    const [name = '', init] = atBash.split('\n')
    expect(name).not.toBe(hostname())
    expect(init).toContain('supervisor')
    expect(readFileSync(join(workspace, 'from-bash'), 'utf8')).toBe('by-bash\n')
    expect(readFileSync(path, 'utf8')).toBe('first line\nchanged line\n')
    expect(edited).not.toContain('cannot')
    expect(read).toContain('changed line')
    expect(leak).toContain(name)
    expect(leak).not.toContain(readFileSync('/etc/hostname', 'utf8').trim())
    expect(globbed).toContain('written.txt')
    expect(grepped).toContain('changed line')
    expect(job).toContain('background-up')

    expect(model.context).toContain('work in a container')
    expect(model.toolNames).not.toContain('workflow')

    expect(await containersOf(run.child.pid ?? 0)).toEqual([])
    expect(processesWith('3611.5')).toEqual([])
  })

  it('has a terminal in the container', async () => {
    const patch = join(workspace, 'terminal.yml')
    writeFileSync(
      patch,
      JSON.stringify([
        { id: 'tool-bash', disabled: true },
        {
          insert: [
            { id: 'terminals', name: '@deepseek-ai/dsh-terminal' },
            { id: 'terminal-bash', name: '@deepseek-ai/dsh-terminal-bash', config: {} },
            { id: 'tool-bash-persistent', name: '@deepseek-ai/dsh-tool-bash-persistent', config: {} },
          ],
        },
      ]),
    )
    await using model = await ScriptedModel.start([
      () => call('bash', { command: 'hostname; tty; cd /tmp; KEPT=kept' }),
      () => call('bash', { command: 'echo "$PWD $KEPT"; sleep 3613.5 &' }),
      () => ({ text: 'done' }),
    ])
    const run = dsh.start('use a terminal', { cwd: workspace, modelUrl: model.baseUrl, args: ['--patch', patch] })
    const { status, stderr } = await run.outcome
    expect(status, stderr).toBe(0)
    expect(model.results[0]).toMatch(/\/dev\/pts\/\d/)
    expect(model.results[0]).not.toContain(hostname())
    expect(model.results[1]).toContain('/tmp kept')
    expect(await containersOf(run.child.pid ?? 0)).toEqual([])
    expect(processesWith('3613.5')).toEqual([])
  })

  it('keeps its permission dialogue with the second patch', async () => {
    await using model = await ScriptedModel.start([
      () => bash('echo seen; touch by-bash'),
      () => call('write', { file_path: join(workspace, 'by-write'), content: 'x' }),
      () => ({ text: 'done' }),
    ])
    const patch = join(dsh.home, 'profiles/headless/node_modules/dsh-sandbox-docker/cordis.permission.patch.yml')
    const run = dsh.start('write something', {
      cwd: workspace,
      modelUrl: model.baseUrl,
      args: ['--patch', patch],
      env: { DSH_PERMISSION_MODE: 'read-only' },
    })
    const { status, stderr } = await run.outcome
    expect(status, stderr).toBe(0)
    expect(model.results[0]).toContain('seen\n')
    expect(model.results[0]).toContain('[sandbox: file access denied under read-only mode]')
    expect(model.results[1]).toContain('read-only')
    expect([existsSync(join(workspace, 'by-bash')), existsSync(join(workspace, 'by-write'))]).toEqual([false, false])
    expect(await containersOf(run.child.pid ?? 0)).toEqual([])
  })

  it('serves the web profile from one container, and ends it when it is asked to end', async () => {
    const args = ['--no-open', '--port', '0']
    const { child, outcome } = dsh.startProfile('web', { cwd: workspace, modelUrl: 'http://127.0.0.1:9', args })
    let printed = ''
    child.stdout?.on('data', (chunk) => (printed += String(chunk)))
    await until('it serves', () => printed.includes('http://'))
    const [url = ''] = /http:\/\/[\w.:]+/.exec(printed) ?? []
    expect((await fetch(url)).status).toBe(200)
    expect(await containersOf(child.pid ?? 0)).toHaveLength(1)
    child.kill('SIGTERM')
    const { status, stderr } = await outcome
    expect(status, stderr).toBe(0)
    expect(await containersOf(child.pid ?? 0)).toEqual([])
  })

  it('leaves nothing when it is killed', async () => {
    await using model = await ScriptedModel.start([
      () => bash('setsid sleep 3612.5 & touch started; sleep 3612.5'),
      () => ({ text: 'never said' }),
    ])
    const { child, outcome } = dsh.start('be killed', { cwd: workspace, modelUrl: model.baseUrl })
    await until('the command runs', () => existsSync(join(workspace, 'started')))
    await until('its children too', () => processesWith('3612.5').length === 2)
    child.kill('SIGKILL')
    await outcome
    await until('no process is left', () => processesWith('3612.5').length === 0)
    await until('no container is left', async () => (await containersOf(child.pid ?? 0)).length === 0)
  })

  it('fails without an engine, by our error, and runs nothing on the host', async () => {
    await using model = await ScriptedModel.start([() => bash('touch ran-on-the-host'), () => ({ text: 'done' })])
    const run = dsh.start('run anyway', {
      cwd: workspace,
      modelUrl: model.baseUrl,
      env: { DOCKER_HOST: 'unix:///no/such/engine.sock' },
    })
    const { status, stdout, stderr } = await run.outcome
    expect(status).toBe(1)
    expect(stderr).toContain('SandboxError')
    expect(stderr).toContain('/no/such/engine.sock')
    expect(stdout).toBe('')
    expect(model.results).toEqual([])
    expect(existsSync(join(workspace, 'ran-on-the-host'))).toBe(false)
  })
})
