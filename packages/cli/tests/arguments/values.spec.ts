import { describe, expect, it } from 'vitest'
import { choice, count, decimal, durationMs, sizeBytes, timeoutMs, user } from '../../src/arguments/values.ts'

describe('the value of an option', () => {
  it('is absent when the option is', () => {
    for (const read of [sizeBytes, durationMs, timeoutMs, count, decimal, user]) {
      expect(read('x', undefined)).toBeUndefined()
    }
    expect(choice('x', undefined, ['a'])).toBeUndefined()
  })

  it('is read by its kind', () => {
    expect(sizeBytes('memory', '512m')).toBe(536_870_912)
    expect(durationMs('grace', '3s')).toBe(3000)
    expect(timeoutMs('timeout', '24d')).toBe(2_073_600_000)
    expect(count('pids', '64')).toBe(64)
    expect(decimal('cpus', '0.5')).toBe(0.5)
    expect(user('user', '1000:100')).toEqual({ uid: 1000, gid: 100 })
    expect(choice('pull', 'never', ['missing', 'never'])).toBe('never')
  })

  it.each([
    [() => sizeBytes('memory', 'much'), '--memory takes a size such as 64000, 512m or 2g, not "much"'],
    [() => durationMs('grace', '0'), '--grace takes a duration such as 1500, 30s or 5m, not "0"'],
    [() => count('pids', '1.5'), '--pids takes a whole number, not "1.5"'],
    [() => decimal('cpus', 'two'), '--cpus takes a number, not "two"'],
    [() => user('user', '1000'), '--user takes UID:GID, two numbers, not "1000"'],
    [() => user('user', 'root:root'), '--user takes UID:GID, two numbers, not "root:root"'],
    [() => choice('pull', 'always', ['missing', 'never']), '--pull takes missing or never, not "always"'],
  ])('is refused with the form that it should have', (read, message) => {
    expect(read).toThrow(expect.objectContaining({ code: 'USAGE', message }))
  })

  it.each(['0', '-5', 'abc', '', '25d'])('is refused as a timeout, by its own code: "%s"', (text) => {
    expect(() => timeoutMs('timeout', text)).toThrow(
      expect.objectContaining({ code: 'TIMEOUT_INVALID', message: expect.stringContaining('--timeout') }),
    )
  })
})
