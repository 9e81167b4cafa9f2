import { describe, expect, it } from 'vitest'
import { errorCodes, isSandboxError, messageOf, SandboxError } from '../src/index.ts'

describe('SandboxError', () => {
  it('carries the code, its hint and whether a retry can help', () => {
    const error = new SandboxError('ENGINE_UNREACHABLE', 'no answer', { context: { host: 'unix:///x' }, cause: 'why' })
    expect(error).toMatchObject({
      code: 'ENGINE_UNREACHABLE',
      retryable: true,
      context: { host: 'unix:///x' },
      cause: 'why',
    })
    expect(error.hint).toBe(errorCodes.ENGINE_UNREACHABLE.hint)
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'SandboxError',
      code: 'ENGINE_UNREACHABLE',
      message: 'no answer',
      hint: errorCodes.ENGINE_UNREACHABLE.hint,
      retryable: true,
      context: { host: 'unix:///x' },
    })
  })

  it('is told from any other error, that of another copy of the package included', () => {
    expect(isSandboxError(new SandboxError('USAGE', 'x'))).toBe(true)
    expect(
      isSandboxError(Object.assign(new Error('x'), { name: 'SandboxError', code: 'USAGE', retryable: false })),
    ).toBe(true)
    expect(isSandboxError(new Error('x'))).toBe(false)
    expect(isSandboxError('USAGE')).toBe(false)
  })

  it('gives every code a hint that is one sentence', () => {
    for (const [code, { hint }] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
      expect(hint, code).toMatch(/\.$/)
    }
  })
})

describe('messageOf', () => {
  it('reads anything thrown', () => {
    expect(messageOf(new Error('a'))).toBe('a')
    expect(messageOf('b')).toBe('b')
    expect(messageOf(undefined)).toBe('undefined')
  })
})
