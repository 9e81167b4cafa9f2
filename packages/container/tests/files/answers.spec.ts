import fc from 'fast-check'
import { isSandboxError } from 'dsh-bash-error'
import { describe, expect, it } from 'vitest'
import { type Answer, AnswerDecoder } from '../../src/files/answer-decoder.ts'
import { decodeEntry, decodeInfo, decodeResolved, decodeWritten } from '../../src/files/answer-payloads.ts'
import type { FileVersion } from '../../src/files/container-files.ts'
import { decodeVersion, encodeVersion } from '../../src/files/file-version.ts'
import { maxChunkBytes, versionBytes } from '../../src/files/files-protocol.ts'
import { encodeRequest, requests } from '../../src/files/request-encoder.ts'

function encode({ id, kind, payload }: Answer): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt32LE(payload.length, 0)
  header.writeUInt32LE(id, 4)
  header.writeUInt32LE(kind, 8)
  return Buffer.concat([header, payload])
}

function decodeAll(chunks: readonly Buffer[]): Answer[] {
  const decoder = new AnswerDecoder()
  const answers: Answer[] = []
  for (const chunk of chunks) decoder.push(chunk, (answer) => answers.push(answer))
  return answers
}

const arbitraryAnswer = fc.record({
  id: fc.nat({ max: 0xffff_ffff }),
  kind: fc.nat({ max: 3 }),
  payload: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
})

describe('the answers of a file server', () => {
  it('are the same however the stream was split', () => {
    fc.assert(
      fc.property(fc.array(arbitraryAnswer, { maxLength: 20 }), fc.array(fc.nat({ max: 400 })), (answers, cuts) => {
        const bytes = Buffer.concat(answers.map(encode))
        const chunks: Buffer[] = []
        let at = 0
        for (const cut of cuts) chunks.push(bytes.subarray(at, (at += cut)))
        chunks.push(bytes.subarray(at))
        expect(decodeAll(chunks)).toEqual(answers)
      }),
    )
  })

  it('are whole when they are as long as can be and come byte by byte', () => {
    const answer = { id: 7, kind: 1, payload: Buffer.alloc(maxChunkBytes, 3) }
    const bytes = encode(answer)
    const chunks = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1))
    expect(decodeAll(chunks)).toEqual([answer])
  })

  it('are refused with one error when no server sends them', () => {
    for (const answer of [
      { id: 1, kind: 4, payload: Buffer.alloc(0) },
      { id: 1, kind: 1, payload: Buffer.alloc(maxChunkBytes + 1) },
    ]) {
      expect(() => decodeAll([encode(answer)])).toThrow(expect.objectContaining({ code: 'ENGINE_PROTOCOL' }))
    }
  })

  it('have payloads that are taken, or refused with one error', () => {
    const decoders = [decodeInfo, decodeResolved, decodeWritten, decodeEntry]
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(...decoders), (bytes, decode) => {
        try {
          decode(Buffer.from(bytes))
        } catch (error) {
          expect(isSandboxError(error) && error.code).toBe('ENGINE_PROTOCOL')
        }
      }),
    )
  })
})

describe('a version', () => {
  it('comes back as the bytes that it was made of', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: versionBytes, maxLength: versionBytes }), (bytes) => {
        expect(encodeVersion(decodeVersion(Buffer.from(bytes)))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it('is no other text', () => {
    for (const noVersion of ['', '1:2:3:4', '1:2:3:4:5:6', '1:2:3:4:-5', '1:2:3:4:x', `1:2:3:4:${2n ** 64n}`]) {
      expect(encodeVersion(noVersion as FileVersion)).toBeUndefined()
    }
  })
})

describe('a request', () => {
  it('is the same bytes whether its content is copied or not', () => {
    for (const size of [1, 16 * 1024, 16 * 1024 + 1, maxChunkBytes]) {
      const content = Buffer.alloc(size, 5)
      const bytes = Buffer.concat(encodeRequest(9, requests.write(3, content)))
      expect(bytes.readUInt32LE(0)).toBe(bytes.length - 12)
      expect([bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)]).toEqual([9, 9, 3])
      expect(bytes.subarray(16).equals(content)).toBe(true)
    }
  })
})
