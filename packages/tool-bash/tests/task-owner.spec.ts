import { OwnerToken } from 'dsh-bash'
import { describe, expect, it, vi } from 'vitest'
import * as toolBash from '../src/index.ts'
import { inBackground } from './support/calls.ts'
import { Harness, textOf } from './support/harness.ts'
import { ScriptedBashExecutor } from './support/scripted-bash-executor.ts'
import { scriptedHarness } from './support/scripted-harness.ts'

describe('the owner of a task', () => {
  const notice = 'background task bash-1 ended [status: completed, exit code: 3]'

  it('is fenced as before after the plugin was reloaded', async () => {
    await using harness = await Harness.start()
    await harness.ctx.plugin(ScriptedBashExecutor)
    const [owner, other] = [harness.agent('session-a'), harness.agent('session-b')]
    const fiber = await harness.ctx.plugin(toolBash)
    await harness.call('bash', inBackground('serve'), { agent: owner })
    await fiber.dispose()
    await harness.ctx.plugin(toolBash)
    expect(textOf(await harness.call('bash_kill', { task_id: 'bash-1' }, { agent: other }))).toContain(
      'another session',
    )
    expect(textOf(await harness.call('bash_kill', { task_id: 'bash-1' }, { agent: owner }))).toContain('killed')
  })

  it('is told when it ends, and nobody else is', async () => {
    await using harness = await scriptedHarness()
    const [owner, other] = [harness.agent('session-a'), harness.agent('session-b')]
    await harness.call('bash', inBackground('make'), { agent: owner })
    harness.bash.end('bash-1', { exitCode: 3 })
    expect(owner.inbox.nextStep).toMatchObject([
      {
        role: 'user',
        content: [{ type: 'text', text: `${notice}. Read its output with bash_output.` }],
        source: { kind: 'plugin', plugin: 'tool-bash', form: 'notice', summary: notice },
      },
    ])
    expect(other.inbox.hasPending).toBe(false)
  })

  it('is told of a task that a trusted plugin started for it', async () => {
    await using harness = await scriptedHarness()
    const owner = harness.agent('session-a')
    harness.bash.start(harness.bash.resolve({ command: 'make', owner: OwnerToken(owner.id) }))
    harness.bash.end('bash-1', { exitCode: 3 })
    expect(owner.inbox.nextStep).toHaveLength(1)
  })

  it('is told once after the plugin was reloaded', async () => {
    await using harness = await Harness.start()
    await harness.ctx.plugin(ScriptedBashExecutor)
    const owner = harness.agent('session-a')
    const fiber = await harness.ctx.plugin(toolBash)
    await harness.call('bash', inBackground('make'), { agent: owner })
    await fiber.dispose()
    await harness.ctx.plugin(toolBash)
    ;(harness.ctx.bash as ScriptedBashExecutor).end('bash-1', { exitCode: 3 })
    expect(owner.inbox.nextStep).toHaveLength(1)
  })

  it.each([{ withAgents: true }, { withAgents: false }])('may be gone or never have been: %j', async (options) => {
    await using harness = await scriptedHarness(options)
    using log = vi.spyOn(console, 'error')
    await harness.call('bash', inBackground('make'))
    harness.bash.start(harness.bash.resolve({ command: 'make', owner: OwnerToken('session-gone') }))
    harness.bash.end('bash-1', { exitCode: 0 })
    harness.bash.end('bash-2', { exitCode: 0 })
    // The seam logs a listener that throws, and goes on.
    expect(log).not.toHaveBeenCalled()
  })
})
