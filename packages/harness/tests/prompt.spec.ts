import { describe, expect, it } from 'vitest'
import * as prompt from '../src/prompt/index.ts'
import { TestHarness } from './support/harness.ts'

describe('what the model is told of the container', () => {
  it('is the image, the places that it can write, and that there is no network', async () => {
    await using harness = await TestHarness.start({ start: 'first-use' })
    await harness.ctx.plugin(prompt)
    const { sections } = await harness.ctx.systemPrompt.assemble({})
    const text = sections.find(({ name }) => name === 'sandbox-docker')?.text
    expect(text).toContain(`${harness.workspace}, /tmp,`)
    expect(text).toContain('image bash-docker/base:')
    expect(text).toContain('no network')
  })
})
