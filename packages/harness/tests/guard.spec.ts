import { defineTool } from '@deepseek-ai/dsh-tools'
import { describe, expect, it } from 'vitest'
import * as guard from '../src/guard/index.ts'
import { TestHarness } from './support/harness.ts'

describe('a tool that runs the model’s code in the harness', () => {
  it('is denied, and runs nothing, unless the deployment trusts it', async () => {
    await using harness = await TestHarness.start({ start: 'first-use' })
    const ran: string[] = []
    for (const name of ['workflow', 'cordis_run']) {
      harness.ctx.tools.register(
        defineTool({
          name,
          description: name,
          parameters: {},
          output: { schema: { type: 'string' }, render: () => [] },
          execute: () => {
            ran.push(name)
            return Promise.resolve('')
          },
        }),
      )
    }
    await harness.ctx.plugin(guard, { allow: ['cordis_run'] })
    expect(await harness.call('workflow', {})).toMatchObject({ isError: true })
    expect((await harness.call('cordis_run', {})).isError).not.toBe(true)
    expect(ran).toEqual(['cordis_run'])
  })
})
