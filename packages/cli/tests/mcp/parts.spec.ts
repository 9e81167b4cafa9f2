import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Attendance } from '../../src/mcp/attendance.ts'
import { CommandWatch } from '../../src/mcp/command-watch.ts'
import { authoritiesOf } from '../../src/mcp/http-guard.ts'
import { readSpillPart } from '../../src/mcp/read-spill-part.ts'
import { maxReadBytes, parseSpillUri, spillUri } from '../../src/mcp/spill-uri.ts'
import { readToken, showsToken } from '../../src/mcp/token.ts'

describe('the URI of a spill file', () => {
  it('is read back as it was written', () => {
    const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('/'))
    const path = fc.array(segment, { minLength: 1 }).map((segments) => `/${segments.join('/')}`)
    const page = fc.option(fc.record({ offset: fc.maxSafeNat(), length: fc.integer({ min: 1, max: maxReadBytes }) }), {
      nil: undefined,
    })
    fc.assert(
      fc.property(path, page, (path, page) => {
        expect(parseSpillUri(spillUri(path, page))).toEqual({ path, page })
      }),
    )
  })

  it('has a part that is complete where one is asked for', () => {
    expect(parseSpillUri('bash-docker://spill/a?offset=5')).toMatchObject({ page: { offset: 5, length: maxReadBytes } })
    expect(parseSpillUri('bash-docker://spill/a?length=5')).toMatchObject({ page: { offset: 0, length: 5 } })
  })

  it.each([
    'bash-docker://spill',
    'bash-docker://other/a',
    'file:///a',
    '/a',
    'bash-docker://spill/%',
    'bash-docker://spill/a?offset=-1',
    'bash-docker://spill/a?offset=1e3',
    'bash-docker://spill/a?offset=99999999999999999',
    'bash-docker://spill/a?length=0',
    `bash-docker://spill/a?length=${maxReadBytes + 1}`,
    'bash-docker://spill/a#b',
  ])('is not %s', (uri) => {
    expect(parseSpillUri(uri)).toBeUndefined()
  })
})

describe('a part of a spill file', () => {
  async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
    let at = 0
    for (const size of sizes) {
      yield bytes.subarray(at, at + size)
      at += size
    }
    yield bytes.subarray(at)
  }

  it('is the same however the file comes', async () => {
    const sizes = fc.array(fc.nat({ max: 9 }))
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array(),
        sizes,
        fc.nat({ max: 40 }),
        fc.nat({ max: 40 }),
        async (bytes, sizes, offset, length) => {
          const part = await readSpillPart(chunked(bytes, sizes), offset, length)
          expect([...part.bytes]).toEqual([...bytes.subarray(offset, offset + length)])
          expect(part.hasMore).toBe(bytes.length > offset + length)
        },
      ),
    )
  })
})

describe('a token', () => {
  it('is new where none is given, and never the same', () => {
    const [first, second] = [readToken(undefined, {}), readToken(undefined, {})]
    expect(first).toMatchObject({ isNew: true, value: expect.stringMatching(/^[\w-]{43}$/) })
    expect(second.value).not.toBe(first.value)
  })

  it('is taken from the environment, and out of it', () => {
    const env = { BASH_DOCKER_MCP_TOKEN: ' 0123456789abcdef\n', OTHER: 'x' }
    expect(readToken(undefined, env)).toEqual({ isNew: false, value: '0123456789abcdef' })
    expect(env).toEqual({ OTHER: 'x' })
  })

  it.each(['', 'short', '0123456789 abcdef', '0123456789abcdeß'])('is not %j', (token) => {
    expect(() => readToken(undefined, { BASH_DOCKER_MCP_TOKEN: token })).toThrow('is not one')
  })

  it('is shown whole, by the one scheme', () => {
    expect(showsToken('Bearer 0123456789abcdef', '0123456789abcdef')).toBe(true)
    expect(showsToken('bearer  0123456789abcdef', '0123456789abcdef')).toBe(true)
    for (const shown of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic 0123456789abcdef',
      'Bearer 0123456789abcde',
      '0123456789abcdef',
    ]) {
      expect(showsToken(shown, '0123456789abcdef'), shown).toBe(false)
    }
  })
})

it('the name of a server may leave out the port of HTTP and no other', () => {
  expect(authoritiesOf(80)).toContain('localhost')
  expect(authoritiesOf(81)).toEqual(['127.0.0.1:81', 'localhost:81', '[::1]:81'])
})

describe('the attendance of a client', () => {
  const terms = { idleMs: 1000, reconnectMs: 100 }
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('lasts while anything of it is open', () => {
    const onAbsent = vi.fn<() => void>()
    const attendance = new Attendance(terms, onAbsent)
    const [first, second] = [attendance.enter(false), attendance.enter(true)]
    first()
    vi.advanceTimersByTime(10_000)
    expect(onAbsent).not.toHaveBeenCalled()
    second()
    vi.advanceTimersByTime(99)
    expect(onAbsent).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onAbsent).toHaveBeenCalledOnce()
  })

  it('lasts longer for one that never held a stream, and goes on with the next request', () => {
    const onAbsent = vi.fn<() => void>()
    const attendance = new Attendance(terms, onAbsent)
    attendance.enter(false)()
    vi.advanceTimersByTime(999)
    attendance.enter(false)()
    vi.advanceTimersByTime(999)
    expect(onAbsent).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(onAbsent).toHaveBeenCalledOnce()
  })

  it('is of no interest once it has ended', () => {
    const onAbsent = vi.fn<() => void>()
    const attendance = new Attendance(terms, onAbsent)
    const leave = attendance.enter(true)
    attendance.end()
    leave()
    vi.advanceTimersByTime(10_000)
    expect(onAbsent).not.toHaveBeenCalled()
  })
})

describe('what is said of a command that runs', () => {
  it('is what its session does, then its time, then its last line', () => {
    const watch = new CommandWatch()
    expect(watch.describe(1000, 'starting a container')).toBe('starting a container')
    watch.began()
    expect(watch.describe(2400, '')).toBe('running for 2 s')
    watch.saw(Buffer.from('one\ntwo \u001b[31mred\u0007\r\n'))
    watch.saw(Buffer.from('\n'))
    expect(watch.describe(3000, '')).toBe('running for 3 s, 20 bytes of output: two [31mred')
    watch.skipped(1_000_000)
    watch.saw(Buffer.from('x'.repeat(5000)))
    expect(watch.describe(3000, '')).toBe(`running for 3 s, 1005020 bytes of output: ${'x'.repeat(120)}`)
  })
})
