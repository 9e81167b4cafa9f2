import Terminals from '@deepseek-ai/dsh-terminal'
import * as terminalBash from '@deepseek-ai/dsh-terminal-bash'
import * as persistentBash from '@deepseek-ai/dsh-tool-bash-persistent'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { TestHarness } from './support/harness.ts'

describe('the harness’s persistent bash over a terminal of the container', () => {
  it('keeps its state from call to call, and tells how commands ended', async () => {
    await using harness = await TestHarness.start({}, { withBash: false })
    await harness.ctx.plugin(Terminals)
    await harness.ctx.plugin(terminalBash, {})
    await harness.ctx.plugin(persistentBash, {})
    const bash = (command: string): Promise<string> => harness.text('bash', { command })
    expect(await bash('hostname; tty; cd /tmp; export KEPT=yes')).toMatch(/\/dev\/pts\/\d/)
    expect(await bash('hostname')).not.toContain(hostname())
    expect(await bash('echo "$PWD $KEPT"')).toContain('/tmp yes')
    expect(await bash('(exit 3)')).toContain('[exit code: 3]')
  })
})
