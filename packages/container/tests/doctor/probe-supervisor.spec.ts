import { describe, expect, it } from 'vitest'
import { judgeHello } from '../../src/doctor/session/probe-supervisor.ts'
import { wholeHello } from '../supervisor/protocol-frames.ts'

describe('what a supervisor says of itself', () => {
  it('is well when it has everything', () => {
    expect(judgeHello(wholeHello)).toEqual({ status: 'ok', detail: 'it runs, and has everything that it needs' })
  })

  it.each([
    ['a subreaper', { subreaper: false }],
    ['a user of its own', { guardUid: -1 }],
    ['the counters of the memory limit', { memoryCgroup: 0 as const }],
    ['the counters of the process limit', { pidsCgroup: 0 as const }],
    ['a place for spill files', { spillErrno: 2 }],
    ['terminals', { terminalErrno: 2 }],
  ])('is a warning without %s', (what, lacking) => {
    const { status, detail } = judgeHello({ ...wholeHello, ...lacking })
    expect({ status, isNamed: detail.startsWith(`it runs without ${what}`) }).toEqual({
      status: 'warning',
      isNamed: true,
    })
  })
})
