import { describe, expect, it } from 'vitest'
import { bashTool } from '../src/index.ts'
import { leakingTool } from './support/leaking-tool.ts'
import { trustedSurfaceLeaks } from './support/trusted-surface.ts'

describe('the trusted-plugin surface', () => {
  it('is out of reach of what a model says', async () => {
    expect(await trustedSurfaceLeaks(bashTool)).toEqual([])
  })
})

describe('the guard of the trusted-plugin surface goes red', () => {
  it.each(['stdin', 'env', 'owner'] as const)('when the tool forwards %s', async (field) => {
    expect(await trustedSurfaceLeaks(leakingTool([field]))).toEqual([
      `foreground request: ${field}`,
      `foreground spec: ${field}`,
      `background request: ${field}`,
      `background spec: ${field}`,
    ])
  })

  it('when the tool forwards them in the foreground alone', async () => {
    const leaks = await trustedSurfaceLeaks(leakingTool(['stdin', 'env'], (args) => args['run_in_background'] !== true))
    expect(leaks).toEqual([
      'foreground request: stdin',
      'foreground request: env',
      'foreground spec: stdin',
      'foreground spec: env',
    ])
  })

  it('when the tool forwards them in the background alone', async () => {
    const leaks = await trustedSurfaceLeaks(leakingTool(['env'], (args) => args['run_in_background'] === true))
    expect(leaks).toEqual(['background request: env', 'background spec: env'])
  })
})
