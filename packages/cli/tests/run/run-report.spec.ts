import type { BashRunResult } from 'dsh-bash'
import { expect, it } from 'vitest'
import { runReport } from '../../src/run/run-report.ts'

const result: BashRunResult = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  timeoutMs: 1000,
  stdout: { text: 'a\uFFFDb', truncated: false, bytes: Uint8Array.from([0x61, 0xff, 0x62]) },
  stderr: { text: 'tail', truncated: true, spillPath: '/run/bash-docker/spill/x', totalBytes: 70_000 },
}

it('is the result, with bytes that are no UTF-8 in base64 beside their text', () => {
  expect(JSON.parse(JSON.stringify(runReport(result, undefined, { totalMs: 1 })))).toEqual({
    ...result,
    stdout: { text: 'a\uFFFDb', truncated: false, base64: 'Yf9i' },
    stderr: { text: 'tail', truncated: true, spillPath: '/run/bash-docker/spill/x', totalBytes: 70_000 },
    session: null,
    timings: { totalMs: 1 },
  })
})

it('tells the session', () => {
  const session = {
    sessionId: 'one',
    image: 'debian:12',
    container: { id: 'c0ffee', name: 'bash-docker-one' },
    user: { uid: 1000, gid: 1000 },
    workspace: { path: '/work', readOnly: true, uid: 1000, gid: 1000 },
  }
  expect(runReport(result, session, { totalMs: 1 }).session).toEqual({
    id: 'one',
    image: 'debian:12',
    container: 'bash-docker-one',
    containerId: 'c0ffee',
    user: { uid: 1000, gid: 1000 },
    workspace: { path: '/work', access: 'read-only' },
  })
  expect(runReport(result, { ...session, workspace: undefined }, { totalMs: 1 }).session?.workspace).toBeNull()
})
