import fc from 'fast-check'
import { isSandboxError } from 'dsh-bash-error'
import { describe, expect, it } from 'vitest'
import { type Frame, FrameDecoder } from '../../src/supervisor/frame-decoder.ts'
import { encodeSpawn, encodeStdinHeader } from '../../src/supervisor/frame-encoder.ts'
import { decodeEnd, decodeExited, decodeForeground, decodeTree } from '../../src/supervisor/frame-payloads.ts'
import { headerBytes, maxDataBytes } from '../../src/supervisor/protocol.ts'
import { commandSpec } from './supervisor-process.ts'

function encode(type: number, stream: number, channel: number, payload: Uint8Array): Buffer {
  const header = encodeStdinHeader(channel, payload.length)
  header[4] = type
  header[5] = stream
  return Buffer.concat([header, payload])
}

function decodeAll(chunks: readonly Buffer[]): { frames: Frame[]; isBetweenFrames: boolean } {
  const decoder = new FrameDecoder()
  const frames: Frame[] = []
  for (const chunk of chunks) {
    decoder.push(chunk, ({ type, stream, channel, payload }) => frames.push({ type, stream, channel, payload }))
  }
  return { frames: joined(frames), isBetweenFrames: decoder.isBetweenFrames }
}

/** Neighbouring DATA of one stream is the same stream however it was cut. */
function joined(frames: readonly Frame[]): Frame[] {
  const result: Frame[] = []
  for (const frame of frames) {
    const last = result.at(-1)
    const isMore =
      last?.type === 2 && frame.type === 2 && last.stream === frame.stream && last.channel === frame.channel
    if (isMore) result[result.length - 1] = { ...last, payload: Buffer.concat([last.payload, frame.payload]) }
    else if (frame.type !== 2 || frame.payload.length > 0) result.push(frame)
  }
  return result
}

const arbitraryFrame = fc.record({
  type: fc.constantFrom(2, 3, 4, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27),
  stream: fc.nat({ max: 255 }),
  channel: fc.nat({ max: 0xffffffff }),
  payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
})

describe('the frame decoder', () => {
  it('finds the same frames however the stream was split', () => {
    fc.assert(
      fc.property(fc.array(arbitraryFrame, { maxLength: 20 }), fc.array(fc.nat({ max: 400 })), (frames, cuts) => {
        const bytes = Buffer.concat(
          frames.map((frame) => encode(frame.type, frame.stream, frame.channel, frame.payload)),
        )
        const chunks: Buffer[] = []
        let at = 0
        for (const cut of cuts) chunks.push(bytes.subarray(at, (at += cut)))
        chunks.push(bytes.subarray(at))
        expect(decodeAll(chunks)).toEqual({ frames: joined(frames), isBetweenFrames: true })
      }),
    )
  })

  it('keeps a frame of the largest size that comes byte by byte', () => {
    const payload = Buffer.alloc(maxDataBytes, 7)
    const bytes = encode(2, 1, 3, payload)
    const pieces: Buffer[] = []
    const decoder = new FrameDecoder()
    for (let at = 0; at < bytes.length; at++) {
      decoder.push(bytes.subarray(at, at + 1), (frame) => pieces.push(frame.payload))
    }
    expect(Buffer.concat(pieces).equals(payload)).toBe(true)
  })

  it('takes a hundred thousand frames in one chunk', () => {
    const one = encode(21, 0, 1, Buffer.alloc(0))
    expect(decodeAll([Buffer.concat(Array.from({ length: 100_000 }, () => one))]).frames).toHaveLength(100_000)
  })

  it('refuses what no supervisor sends, whatever it is, with one error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeAll([Buffer.from(bytes)])
        } catch (error) {
          expect(isSandboxError(error) && error.code).toBe('ENGINE_PROTOCOL')
        }
      }),
    )
    for (const header of [encode(1, 0, 1, Buffer.alloc(0)), encode(2, 1, 1, Buffer.alloc(maxDataBytes + 1))]) {
      expect(() => decodeAll([header])).toThrow('malformed frame')
    }
  })

  it('refuses payloads that are too short with the same error', () => {
    for (const decode of [decodeEnd, decodeExited, decodeForeground, decodeTree]) {
      expect(() => decode(Buffer.alloc(7))).toThrow(expect.objectContaining({ code: 'ENGINE_PROTOCOL' }))
    }
  })
})

describe('a spawn frame', () => {
  it('counts bytes and not characters', () => {
    const bytes = encodeSpawn(9, commandSpec('printf "äöü🙂"'), 1)
    expect(bytes.readUInt32LE(0)).toBe(bytes.length - headerBytes)
    expect(bytes.toString('utf8')).toContain('äöü🙂')
  })

  it('is refused past the protocol’s limit', () => {
    expect(() => encodeSpawn(1, commandSpec('x'.repeat(4 * 1024 * 1024)), 1)).toThrow(
      expect.objectContaining({ code: 'COMMAND_TOO_LARGE' }),
    )
  })
})
