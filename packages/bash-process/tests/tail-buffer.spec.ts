import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TailBuffer } from '../src/tail-buffer.ts'

describe('TailBuffer', () => {
  it('keeps exactly the last bytes of any sequence of writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.uint8Array({ maxLength: 60 })), (maxBytes, chunks) => {
        const tail = new TailBuffer(maxBytes)
        for (const chunk of chunks) tail.write(chunk)
        const whole = Buffer.concat(chunks)
        const read = tail.readFrom(0)
        expect(Buffer.from(read.bytes)).toEqual(whole.subarray(Math.max(0, whole.length - maxBytes)))
        expect(read.nextOffset).toBe(whole.length)
        expect(read.lossy).toBe(whole.length > maxBytes)
      }),
    )
  })

  it('reads from any offset what is still there, and says when something before it is not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 30 })),
        fc.integer({ min: 0, max: 200 }),
        (chunks, wantedOffset) => {
          const tail = new TailBuffer(16)
          for (const chunk of chunks) tail.write(chunk)
          const whole = Buffer.concat(chunks)
          const offset = Math.min(wantedOffset, whole.length)
          const start = Math.max(offset, whole.length - 16)
          const read = tail.readFrom(offset)
          expect(Buffer.from(read.bytes)).toEqual(whole.subarray(start))
          expect(read.lossy).toBe(offset < whole.length - 16)
        },
      ),
    )
  })

  it('is not lossy at exactly the cap', () => {
    const tail = new TailBuffer(4)
    tail.write(Buffer.from('abcd'))
    expect(tail.readFrom(0)).toMatchObject({ lossy: false, nextOffset: 4 })
    tail.write(Buffer.from('e'))
    expect(tail.readFrom(0).lossy).toBe(true)
  })
})
