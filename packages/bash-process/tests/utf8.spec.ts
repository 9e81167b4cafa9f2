import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { incompleteUtf8SuffixBytes } from '../src/utf8.ts'

describe('incompleteUtf8SuffixBytes', () => {
  it('lets any split of valid text be decoded piece by piece', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 1, max: 7 })), (raw, sizes) => {
        const text = raw.toWellFormed()
        const bytes = Buffer.from(text)
        let pending = Buffer.alloc(0)
        let decoded = ''
        let at = 0
        for (const size of [...sizes, bytes.length]) {
          pending = Buffer.concat([pending, bytes.subarray(at, at + size)])
          at += size
          const end = pending.length - incompleteUtf8SuffixBytes(pending)
          decoded += pending.toString('utf8', 0, end)
          pending = pending.subarray(end)
        }
        expect(decoded + pending.toString('utf8')).toBe(text)
      }),
    )
  })

  it.each([
    ['', 0],
    ['61', 0],
    ['c3', 1],
    ['61e282', 2],
    ['f09f98', 3],
    ['f09f9880', 0],
    ['80', 0],
    ['ff', 0],
    ['c0', 0],
  ])('of %s is %i', (hex, expected) => {
    expect(incompleteUtf8SuffixBytes(Buffer.from(hex, 'hex'))).toBe(expected)
  })
})
