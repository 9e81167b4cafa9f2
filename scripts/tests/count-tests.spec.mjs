import { expect, it } from 'vitest'
import { addCounts, countTests, formatCounts } from '../lib/count-tests.mjs'

/**
 * @param {string} status
 * @param {string[]} tests
 */
const file = (status, ...tests) => ({ status, assertionResults: tests.map((test) => ({ status: test })) })

it('counts over the tests of all files, a todo as skipped', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped', 'todo'), file('failed', 'failed', 'passed')] }
  expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1, skipped: 2 })
})

it('counts a file that failed outside its tests as one failed test', () => {
  const report = { testResults: [file('failed'), file('failed', 'skipped', 'skipped'), file('failed', 'passed')] }
  expect(countTests(report, 1)).toEqual({ passed: 1, failed: 3, skipped: 2 })
})

it('never reports a failed run as one without failures', () => {
  expect(countTests({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(countTests(undefined, 130)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

it('prints the line that continuous integration reads', () => {
  expect(formatCounts({ passed: 12, failed: 0, skipped: 3 })).toBe('12 passed, 0 failed, 3 skipped')
})

it('adds the counts of two runs', () => {
  const sum = addCounts({ passed: 1, failed: 2, skipped: 3 }, { passed: 10, failed: 20, skipped: 30 })
  expect(sum).toEqual({ passed: 11, failed: 22, skipped: 33 })
})
