import { describe, expect, it, vi } from 'vitest'
import { repeatFailed } from '../lib/repeat-failed.mjs'

/**
 * @param {{ passed: number, failed: number }} counts
 * @param {string[]} failedFiles
 */
const run = ({ passed, failed }, failedFiles = []) => ({
  counts: { passed, failed, skipped: 0 },
  failures: Array.from({ length: failed }, (_, index) => `FAILED ${index}`),
  failedFiles,
})

describe('a run with a few failed tests', () => {
  it('has its files repeated, and what passes then is unsteady', async () => {
    const runFiles = vi.fn(() => Promise.resolve(run({ passed: 7, failed: 0 })))
    const settled = await repeatFailed(run({ passed: 10, failed: 2 }, ['a', 'b']), runFiles)
    expect(runFiles).toHaveBeenCalledExactlyOnceWith(['a', 'b'])
    expect(settled.counts).toEqual({ passed: 12, failed: 0, skipped: 0 })
    expect([settled.failures, settled.unsteady]).toEqual([[], ['FAILED 0', 'FAILED 1']])
  })

  it.each([
    ['fails again', { passed: 6, failed: 1 }],
    ['has nothing that passes', { passed: 0, failed: 0 }],
  ])('stays failed when it %s', async (_title, again) => {
    const first = run({ passed: 10, failed: 1 }, ['a'])
    const settled = await repeatFailed(first, () => Promise.resolve(run(again, ['a'])))
    expect(settled).toEqual({ ...first, unsteady: [] })
  })
})

it.each([
  ['without failures', run({ passed: 10, failed: 0 })],
  ['with many failures', run({ passed: 10, failed: 4 }, ['a'])],
  ['with a failure outside its tests', run({ passed: 10, failed: 1 }, [])],
])('a run %s is not repeated', async (_title, first) => {
  const runFiles = vi.fn()
  expect(await repeatFailed(first, runFiles)).toEqual({ ...first, unsteady: [] })
  expect(runFiles).not.toHaveBeenCalled()
})
