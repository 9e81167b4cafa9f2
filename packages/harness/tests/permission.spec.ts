import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setSandboxMode } from '@deepseek-ai/dsh-sandbox-policy'
import { describe, expect, it } from 'vitest'
import { leftContainers, TestHarness } from './support/harness.ts'

describe('the permission dialogue of the harness over the container', () => {
  it('is told of what a read-only session may not do, and lets it once it may', async () => {
    const before = await leftContainers()
    await using harness = await TestHarness.start({}, { mode: 'read-only' })
    const bash = (command: string): Promise<string> => harness.text('bash', { command, description: 'a test' })
    const written = join(harness.workspace, 'written')
    const touched = join(harness.workspace, 'touched')

    expect(await bash('echo readable; cat /proc/1/cmdline | tr "\\0" " "')).toMatch(/^readable\n.*supervisor/)
    expect(await bash(`touch ${touched}`)).toContain('[sandbox: file access denied under read-only mode]')
    expect(await harness.call('write', { file_path: written, content: 'x' })).toMatchObject({ isError: true })
    expect([existsSync(touched), existsSync(written)]).toEqual([false, false])

    setSandboxMode(harness.agent.session, 'workspace-write')
    expect(await bash(`touch ${touched}`)).toBe('(no output)')
    expect((await harness.call('write', { file_path: written, content: 'x' })).isError).not.toBe(true)
    expect([existsSync(touched), existsSync(written)]).toEqual([true, true])
    // One for each of the two.
    expect((await leftContainers()).length).toBe(before.length + 2)
  })

  it('stops what was started in either container', async () => {
    await using harness = await TestHarness.start({}, { mode: 'read-only' })
    const bash = (command: string, more: object = {}): Promise<string> =>
      harness.text('bash', { command, description: 'a test', ...more })
    await bash('sleep 3609.5', { timeoutMs: 200 })
    expect(await bash('pgrep -fc "sleep 360[9]"')).toMatch(/^0\n/)
  })
})
