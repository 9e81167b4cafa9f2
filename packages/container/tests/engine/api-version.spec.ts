import { describe, expect, it } from 'vitest'
import {
  compareApiVersions,
  negotiateApiVersion,
  newestApiVersion,
  oldestApiVersion,
} from '../../src/engine/api-version.ts'

describe('the API version', () => {
  it.each([
    ['of an older engine is its newest', '1.41', '1.12', '1.41'],
    ['of a newer engine is ours', '1.99', '1.44', newestApiVersion],
    ['of an engine that does not say its oldest', '1.45', undefined, '1.45'],
  ])('%s', (_, newest, oldest, negotiated) => {
    expect(negotiateApiVersion({ newest, oldest })).toBe(negotiated)
  })

  it.each(['1.40', '1.9', '0.99'])('%s is too old', (newest) => {
    expect(() => negotiateApiVersion({ newest, oldest: undefined })).toThrowError(
      expect.objectContaining({
        code: 'ENGINE_TOO_OLD',
        context: { apiVersion: newest, neededApiVersion: oldestApiVersion },
      }),
    )
  })

  it('that an engine no longer speaks is refused', () => {
    expect(() => negotiateApiVersion({ newest: '2.1', oldest: '2.0' })).toThrowError(
      expect.objectContaining({ code: 'ENGINE_REFUSED' }),
    )
  })

  it('is ordered by number, not by letter', () => {
    expect(['1.41', '1.9', '2.0', '1.100'].toSorted(compareApiVersions)).toEqual(['1.9', '1.41', '1.100', '2.0'])
  })
})
