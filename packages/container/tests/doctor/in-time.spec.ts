import { messageOf } from 'dsh-bash-error'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inTime } from '../../src/doctor/session/run-bash.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the deadline of a probe', () => {
  it('gives up what does not end, as behind a proxy that passes no end of input on', async () => {
    const given = inTime(new Promise(() => undefined)).catch(messageOf)
    await vi.runAllTimersAsync()
    expect(await given).toBe('it did not end within 15000 ms')
  })

  it('is over with what ends in time', async () => {
    expect(await inTime(Promise.resolve(1))).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
