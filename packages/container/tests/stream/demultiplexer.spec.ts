import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Demultiplexer } from '../../src/stream/demultiplexer.ts'
import { frame, frameType } from '../support/frames.ts'

/** Collects what comes out, and how. */
class Collected {
  readonly chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] }
  readonly demultiplexer = new Demultiplexer({
    stdout: (chunk) => void this.chunks.stdout.push(Buffer.from(chunk)),
    stderr: (chunk) => void this.chunks.stderr.push(Buffer.from(chunk)),
  })

  text(stream: 'stdout' | 'stderr'): string {
    return Buffer.concat(this.chunks[stream]).toString('latin1')
  }
}

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const edges = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

const payload = fc.record({
  type: fc.constantFrom(frameType.stdout, frameType.stderr),
  bytes: fc.uint8Array({ maxLength: 300 }),
})

describe('the demultiplexer', () => {
  it('gives each stream its bytes in order, however frames and chunks are cut', () => {
    fc.assert(
      fc.property(fc.array(payload, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 60 }), (payloads, places) => {
        const bytes = Buffer.concat(payloads.map(({ type, bytes }) => frame(type, bytes)))
        const collected = new Collected()
        for (const chunk of cut(bytes, places)) collected.demultiplexer.write(chunk)
        collected.demultiplexer.end()
        for (const stream of ['stdout', 'stderr'] as const) {
          const sent = payloads.filter(({ type }) => type === frameType[stream]).map(({ bytes }) => Buffer.from(bytes))
          expect(collected.text(stream)).toBe(Buffer.concat(sent).toString('latin1'))
        }
      }),
    )
  })

  it('takes one byte at a time', () => {
    const collected = new Collected()
    for (const byte of Buffer.concat([frame(1, 'out'), frame(2, ''), frame(2, 'err'), frame(1, '!')])) {
      collected.demultiplexer.write(Uint8Array.of(byte))
    }
    collected.demultiplexer.end()
    expect([collected.text('stdout'), collected.text('stderr')]).toEqual(['out!', 'err'])
  })

  it('passes a part of a frame on before the rest has come', () => {
    const collected = new Collected()
    const bytes = frame(frameType.stdout, 'early and late')
    collected.demultiplexer.write(bytes.subarray(0, 13))
    expect(collected.text('stdout')).toBe('early')
  })

  it('neither copies nor keeps a payload: what it hands on is a view of the chunk', () => {
    const seen: Uint8Array[] = []
    const demultiplexer = new Demultiplexer({ stdout: (chunk) => void seen.push(chunk), stderr: () => undefined })
    const bytes = frame(frameType.stdout, Buffer.alloc(4 * 1024 * 1024, 'x'))
    const chunkBytes = 4096
    for (let at = 0; at < bytes.length; at += chunkBytes) demultiplexer.write(bytes.subarray(at, at + chunkBytes))
    demultiplexer.end()
    expect(seen.every((chunk) => chunk.buffer === bytes.buffer)).toBe(true)
    expect(seen.reduce((total, chunk) => total + chunk.length, 0)).toBe(4 * 1024 * 1024)
    // One slice for each chunk: the work is linear in the chunks.
    expect(seen.length).toBeLessThanOrEqual(Math.ceil(bytes.length / chunkBytes))
  })

  it('takes 200,000 frames in one chunk without growing the stack', () => {
    const count = 200_000
    const collected = { frames: 0 }
    const demultiplexer = new Demultiplexer({ stdout: () => void collected.frames++, stderr: () => undefined })
    demultiplexer.write(Buffer.concat(Array.from({ length: count }, () => frame(frameType.stdout, 'x'))))
    demultiplexer.end()
    expect(collected.frames).toBe(count)
  })

  it.each([
    ['an unknown type', Buffer.from([4, 0, 0, 0, 0, 0, 0, 1])],
    ['a byte where zero must be', Buffer.from([1, 0, 1, 0, 0, 0, 0, 1])],
    ['text that has no frames', Buffer.from('HTTP/1.1 200 OK')],
  ])('refuses %s', (_, bytes) => {
    const collected = new Collected()
    expect(() => collected.demultiplexer.write(bytes)).toThrowError(
      expect.objectContaining({ code: 'ENGINE_PROTOCOL' }),
    )
    expect(collected.text('stdout')).toBe('')
  })

  it('refuses a stream that ends within a frame, wherever that is, and no other', () => {
    const whole = Buffer.concat([frame(1, 'abc'), frame(2, 'de')])
    for (let length = 0; length <= whole.length; length += 1) {
      const { demultiplexer } = new Collected()
      demultiplexer.write(whole.subarray(0, length))
      const ends = (): void => demultiplexer.end()
      if ([0, 11, whole.length].includes(length)) expect(ends).not.toThrow()
      else expect(ends).toThrowError(expect.objectContaining({ code: 'ENGINE_PROTOCOL' }))
    }
  })

  it('makes an error of what the engine reports, and delivers none of it', () => {
    const collected = new Collected()
    const bytes = Buffer.concat([frame(1, 'before'), frame(frameType.systemError, 'the daemon is ill')])
    const write = (): void => {
      for (const chunk of cut(bytes, [3, 20, 25])) collected.demultiplexer.write(chunk)
    }
    expect(write).toThrowError(
      expect.objectContaining({ code: 'ENGINE_PROTOCOL', context: { engineMessage: 'the daemon is ill' } }),
    )
    expect([collected.text('stdout'), collected.text('stderr')]).toEqual(['before', ''])
  })
})
