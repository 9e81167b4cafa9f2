import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareApiVersions,
  negotiateApiVersion,
  newestApiVersion,
  oldestApiVersion,
} from '../../src/engine/api-version.ts'

describe('the API version', () => {
  it.each([
    ['an engine that knows less', { newest: '1.43', oldest: '1.12' }, '1.43'],
    ['the oldest engine', { newest: oldestApiVersion, oldest: undefined }, oldestApiVersion],
    ['an engine that knows as much', { newest: newestApiVersion, oldest: '1.24' }, newestApiVersion],
    ['an engine that knows more', { newest: '1.99', oldest: newestApiVersion }, newestApiVersion],
    ['an engine of a later major version', { newest: '2.0', oldest: '1.44' }, newestApiVersion],
  ])('is the newest that both know: %s', (_, server, expected) => {
    expect(negotiateApiVersion(server)).toBe(expected)
  })

  it.each(['1.40', '1.9', '0.99'])('is none with an engine that is too old: %s', (newest) => {
    expect(() => negotiateApiVersion({ newest, oldest: '1.0' })).toThrow(
      expect.objectContaining({ code: 'ENGINE_TOO_OLD', context: { apiVersion: newest, neededApiVersion: '1.41' } }),
    )
  })

  it('is none with an engine that knows none of ours any more', () => {
    expect(() => negotiateApiVersion({ newest: '1.99', oldest: '1.90' })).toThrow(
      expect.objectContaining({ code: 'ENGINE_REFUSED', hint: 'Update this package.' }),
    )
  })

  it('is compared by number, not by text', () => {
    const part = fc.nat({ max: 200 })
    fc.assert(
      fc.property(part, part, part, part, (major, minor, otherMajor, otherMinor) => {
        const sign = Math.sign(compareApiVersions(`${major}.${minor}`, `${otherMajor}.${otherMinor}`))
        expect(sign).toBe(Math.sign(major * 1000 + minor - (otherMajor * 1000 + otherMinor)))
      }),
    )
  })
})
