import { expect, it } from 'vitest'
import { filesOfFailedTests, listFailures } from '../lib/list-failures.mjs'

it('names each failed test by its file and title, with its message', () => {
  const report = {
    testResults: [
      {
        name: '/repo/test/a.spec.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'group passes', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'group fails',
            failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[39m\n\n  at a:1'],
          },
        ],
      },
    ],
  }
  expect(listFailures(report, '/repo')).toEqual([
    'FAILED test/a.spec.ts > group fails\n    expected 1 to be 2\n      at a:1',
  ])
})

it('names a file that failed outside its tests', () => {
  const skipped = { status: 'skipped', fullName: 'group never ran' }
  const report = {
    testResults: [
      { name: '/repo/b.spec.ts', status: 'failed', message: 'no such module', assertionResults: [skipped] },
    ],
  }
  expect(listFailures(report, '/repo')).toEqual(['FAILED b.spec.ts\n    no such module'])
})

it('keeps the beginning of a long message', () => {
  const failureMessages = [Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')]
  const assertionResults = [{ status: 'failed', fullName: 'long', failureMessages }]
  const [text] = listFailures({ testResults: [{ name: '/repo/c', status: 'failed', assertionResults }] }, '/repo')
  expect(text?.split('\n')).toHaveLength(13)
})

it('has nothing to name in a run without failures or without a report', () => {
  const assertionResults = [{ status: 'passed', fullName: 'fine' }]
  expect(listFailures({ testResults: [{ name: '/repo/d', status: 'passed', assertionResults }] }, '/repo')).toEqual([])
  expect(listFailures(undefined, '/repo')).toEqual([])
})

it('gives the files of failed tests, and none when a file failed outside its tests', () => {
  const failed = { name: '/repo/a', status: 'failed', assertionResults: [{ status: 'failed', fullName: 'a' }] }
  const passed = { name: '/repo/b', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'b' }] }
  const broken = { name: '/repo/c', status: 'failed', assertionResults: [] }
  expect(filesOfFailedTests({ testResults: [failed, passed] })).toEqual(['/repo/a'])
  expect(filesOfFailedTests({ testResults: [failed, broken] })).toEqual([])
  expect(filesOfFailedTests(undefined)).toEqual([])
})
