import { describe, expect, it } from 'vitest'
import { judgeHello } from '../../src/doctor/session/probe-supervisor.ts'

const whole = {
  protocol: 1,
  build: 'f'.repeat(64),
  pidNamespace: 1,
  subreaper: true,
  setUid: true,
  setGid: true,
  kill: true,
  dropBounding: true,
  noNewPrivs: true,
  guardUid: 65529,
  oomScoreAdj: -1000,
  commandOomScoreAdj: 0,
  memoryCgroup: 1 as const,
  memoryBytes: 1,
  pidsCgroup: 1 as const,
  pids: 1,
  maxCommands: 1,
  spillErrno: 0,
}

describe('what a supervisor says of itself', () => {
  it('is well when it has everything', () => {
    expect(judgeHello(whole)).toEqual({ status: 'ok', detail: 'it runs, and has everything that it needs' })
  })

  it.each([
    ['a subreaper', { subreaper: false }],
    ['a user of its own', { guardUid: -1 }],
    ['the counters of the memory limit', { memoryCgroup: 0 as const }],
    ['the counters of the process limit', { pidsCgroup: 0 as const }],
    ['a place for spill files', { spillErrno: 2 }],
  ])('is a warning without %s', (what, lacking) => {
    const { status, detail } = judgeHello({ ...whole, ...lacking })
    expect({ status, isNamed: detail.startsWith(`it runs without ${what}`) }).toEqual({
      status: 'warning',
      isNamed: true,
    })
  })
})
