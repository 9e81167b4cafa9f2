import type { BashRunResult } from 'dsh-bash'
import { expect, it } from 'vitest'
import { resultStatus } from '../src/exit-status.ts'

const output = { text: '', truncated: false }
const ended: BashRunResult = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  timeoutMs: 1000,
  stdout: output,
  stderr: output,
}

it.each([
  ['the exit code', { exitCode: 7 }, 7],
  ['128 + n for a signal', { exitCode: null, signal: 'SIGKILL' as const }, 137],
  ['128 + n for a signal', { exitCode: null, signal: 'SIGTERM' as const }, 143],
  ['124 for a timeout, however the command ended', { exitCode: null, signal: 'SIGTERM' as const, timedOut: true }, 124],
  ['124 for a timeout, however the command ended', { exitCode: 0, timedOut: true }, 124],
])('is %s: %o', (_what, facts, status) => {
  expect(resultStatus({ ...ended, ...facts })).toBe(status)
})
