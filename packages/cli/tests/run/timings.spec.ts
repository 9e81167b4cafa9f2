import { expect, it } from 'vitest'
import { Timings } from '../../src/run/timings.ts'

it('measures each phase up to the next, and the whole', () => {
  let nowMs = 100
  const timings = new Timings(() => nowMs)
  timings.begin('connect')
  nowMs = 110
  timings.begin('image')
  nowMs = 111.26
  timings.begin('session')
  nowMs = 300
  timings.begin('command')
  nowMs = 350
  timings.end()
  nowMs = 400
  expect(timings.report()).toEqual({ connectMs: 10, imageMs: 1.3, sessionMs: 188.7, commandMs: 50, totalMs: 400 })
})

it('leaves out a phase that there was not', () => {
  const timings = new Timings(() => 5)
  timings.begin('command')
  timings.end()
  timings.end()
  expect(timings.report()).toEqual({ commandMs: 0, totalMs: 5 })
})
