import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestHarness } from './support/harness.ts'
import { until } from './support/processes.ts'

describe('the harness’s own tools over the container', () => {
  let harness: TestHarness
  beforeAll(async () => {
    harness = await TestHarness.start()
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const bash = (command: string, more: object = {}): Promise<string> =>
    harness.text('bash', { command, description: 'a test', ...more })

  it('bash runs in the workspace of the session, in the container', async () => {
    const [name, directory] = (await bash('hostname; pwd')).split('\n')
    expect(name).not.toBe(hostname())
    expect(directory).toBe(harness.workspace)
  })

  it('bash reports exit codes, signals and both streams', async () => {
    expect(await bash('echo out; echo err >&2; exit 3')).toBe('out\n[stderr]\nerr\n[exit code: 3]')
    expect(await bash('kill -9 $$')).toContain('[killed by signal: SIGKILL]')
  })

  it('bash is stopped by its timeout, and its children with it', async () => {
    expect(await bash('sleep 3605.5 & sleep 3605.5', { timeoutMs: 300 })).toContain('[timed out after 300ms]')
    expect(await bash('pgrep -fc "sleep 360[5]"')).toMatch(/^0\n/)
  })

  it('bash spills long output where read and grep find it', async () => {
    const text = await bash('seq 100000')
    const path = /full output: (\S+)\]/.exec(text)?.[1] ?? ''
    expect(await harness.text('read', { file_path: path, offset: 1, limit: 3 })).toContain('2')
    expect(await harness.text('grep', { pattern: '^99999$', path })).toContain('99999')
  })

  it('a background job is started, read and killed', async () => {
    const started = await bash('echo first; sleep 3606.5', { run_in_background: true })
    const id = /started background job (\S+)/.exec(started)?.[1]
    await until('the job’s output', async () =>
      (await harness.text('job_output', { job_id: id, wait: false })).includes('first') ? true : undefined,
    )
    await harness.text('job_kill', { job_id: id })
    await until('the end of the job', async () =>
      (await bash('pgrep -fc "sleep 360[6]"')).startsWith('0') ? true : undefined,
    )
  })

  it('read, write and edit work on the files that bash sees', async () => {
    const path = join(harness.workspace, 'notes/today.txt')
    await harness.text('write', { file_path: path, content: 'one\ntwo\n' })
    expect(await bash('cat notes/today.txt')).toBe('one\ntwo\n')
    await harness.text('edit', { file_path: path, old_string: 'two', new_string: 'three' })
    expect(readFileSync(path, 'utf8')).toBe('one\nthree\n')
    expect(await harness.text('read', { file_path: path })).toContain('three')
  })

  it('glob and grep find them with the harness’s own ripgrep', async () => {
    mkdirSync(join(harness.workspace, 'src'))
    writeFileSync(join(harness.workspace, 'src/needle.ts'), 'const needle = 1\n')
    expect(await harness.text('glob', { pattern: '**/*.ts' })).toContain('src/needle.ts')
    expect(await harness.text('grep', { pattern: 'const \\w+' })).toContain('const needle = 1')
  })

  it('no link that the model planted leads to a file of the host', async () => {
    symlinkSync('/etc/hostname', join(harness.workspace, 'leak'))
    const read = await harness.text('read', { file_path: join(harness.workspace, 'leak') })
    const cat = await bash('cat leak')
    expect(read).toContain(cat.trim())
    expect(read).not.toContain(hostname())
  })
})
