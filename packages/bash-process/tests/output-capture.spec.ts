import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutputCapture } from '../src/output-capture.ts'
import type { SpillFile } from '../src/port.ts'

class MemorySpill implements SpillFile {
  readonly path = '/spill/file'
  bytes = Buffer.alloc(0)
  state: 'open' | 'closed' | 'discarded' = 'open'
  failsAfterBytes = Number.POSITIVE_INFINITY

  write(chunk: Uint8Array): void {
    if (this.bytes.length + chunk.length > this.failsAfterBytes) throw new Error('ENOSPC')
    this.bytes = Buffer.concat([this.bytes, chunk])
  }

  close(): void {
    this.state = 'closed'
  }

  discard(): void {
    this.state = 'discarded'
  }
}

function capture(maxOutputBytes: number, maxSpillBytes = 1_000_000) {
  const spill = new MemorySpill()
  let openedCount = 0
  const output = new OutputCapture({ maxOutputBytes, maxSpillBytes })
  output.spillTo(() => {
    openedCount += 1
    return spill
  })
  return { output, spill, opened: () => openedCount }
}

describe('OutputCapture', () => {
  it('opens no spill file at exactly the cap', () => {
    const { output, opened } = capture(5)
    output.write(Buffer.from('ab'))
    output.write(Buffer.from('cde'))
    output.finish()
    expect(output.collect()).toEqual({ text: 'abcde', truncated: false })
    expect(opened()).toBe(0)
  })

  it('spills the complete stream, earlier bytes included, and keeps the tail', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { minLength: 1 }), (chunks) => {
        const { output, spill } = capture(7)
        for (const chunk of chunks) output.write(chunk)
        output.finish()
        const whole = Buffer.concat(chunks)
        const collected = output.collect()
        expect(collected.text).toBe(whole.subarray(Math.max(0, whole.length - 7)).toString('utf8'))
        expect(collected.truncated).toBe(whole.length > 7)
        if (whole.length <= 7) return
        expect(spill.bytes).toEqual(whole)
        expect(spill.state).toBe('closed')
        expect(collected.spillPath).toBe('/spill/file')
        expect(collected.totalBytes).toBe(whole.length)
      }),
    )
  })

  it('withholds and removes a spill that passes its cap', () => {
    const { output, spill } = capture(2, 4)
    output.write(Buffer.from('abcd'))
    output.write(Buffer.from('e'))
    output.finish()
    expect(output.collect()).toEqual({ text: 'de', truncated: true, totalBytes: 5 })
    expect(spill.state).toBe('discarded')
  })

  it('withholds and removes a spill that cannot be written', () => {
    const { output, spill } = capture(2)
    spill.failsAfterBytes = 4
    output.write(Buffer.from('abcd'))
    output.write(Buffer.from('ef'))
    output.finish()
    expect(output.collect()).toEqual({ text: 'ef', truncated: true, totalBytes: 6 })
    expect(spill.state).toBe('discarded')
  })

  it('adds the bytes only when they are not valid UTF-8', () => {
    const { output } = capture(10)
    output.write(Uint8Array.of(0x61, 0xff))
    output.finish()
    expect(output.collect()).toEqual({ text: 'a\uFFFD', truncated: false, bytes: Uint8Array.of(0x61, 0xff) })
  })

  it('holds back a character that is not complete until it is, or until the end', () => {
    const { output } = capture(10)
    output.write(Uint8Array.of(0x61, 0xe2, 0x82))
    const first = output.readFrom(0)
    expect(first).toEqual({ text: 'a', nextOffset: 1, lossy: false })
    output.write(Uint8Array.of(0xac, 0xe2))
    const second = output.readFrom(first.nextOffset)
    expect(second.text).toBe('€')
    output.finish()
    expect(output.readFrom(second.nextOffset).text).toBe('\uFFFD')
  })

  it('takes the word of a host that spills by itself, and keeps what followed the last gap', () => {
    const output = new OutputCapture({ maxOutputBytes: 4, maxSpillBytes: 100 })
    output.write(Buffer.from('ab'))
    output.spilled('/world/spill')
    output.skip(90)
    output.write(Buffer.from('cdef'))
    expect(output.readFrom(2)).toEqual({ text: 'cdef', nextOffset: 96, lossy: true, spillPath: '/world/spill' })
    output.finish()
    expect(output.collect()).toEqual({ text: 'cdef', truncated: true, spillPath: '/world/spill', totalBytes: 96 })
    output.spilled(undefined)
    expect(output.collect()).not.toHaveProperty('spillPath')
  })
})
