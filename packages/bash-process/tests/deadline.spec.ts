import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deadline, type DeadlineCause } from '../src/deadline.ts'

describe('Deadline', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function watched(signal?: AbortSignal): { deadline: Deadline; causes: DeadlineCause[] } {
    const causes: DeadlineCause[] = []
    const deadline = new Deadline(signal, (cause) => causes.push(cause))
    deadline.watch()
    return { deadline, causes }
  }

  it('names the timeout when it comes first', () => {
    const controller = new AbortController()
    const { deadline, causes } = watched(controller.signal)
    deadline.arm(100)
    vi.advanceTimersByTime(100)
    controller.abort()
    expect(causes).toEqual(['timeout'])
    expect(deadline.cause).toBe('timeout')
  })

  it('names the abort when it comes first', () => {
    const controller = new AbortController()
    const { deadline, causes } = watched(controller.signal)
    deadline.arm(100)
    controller.abort()
    vi.advanceTimersByTime(1000)
    expect(causes).toEqual(['abort'])
  })

  it('expires at once for a signal that has aborted already', () => {
    expect(watched(AbortSignal.abort()).causes).toEqual(['abort'])
  })

  it('expires no more once it is disposed', () => {
    const controller = new AbortController()
    const { deadline, causes } = watched(controller.signal)
    deadline.arm(100)
    deadline[Symbol.dispose]()
    vi.advanceTimersByTime(1000)
    controller.abort()
    expect(causes).toEqual([])
    expect(deadline.cause).toBeUndefined()
  })
})
