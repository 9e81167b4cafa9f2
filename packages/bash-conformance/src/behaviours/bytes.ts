import type { Suite } from '../suite.ts'
import { run } from '../support/commands.ts'

/** Bytes are decoded as UTF-8 once, at the end, and nothing is lost or added on the way. */
export function bytes({ test, expect, expectCapability, shared }: Suite): void {
  test('keeps NUL, carriage return and every other control character', async () => {
    const { bash } = await shared()
    const controls = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code))
    const result = await run(bash, `for ((c = 0; c < 128; c++)); do printf "\\\\x$(printf %x $c)"; done`)
    expect(result.stdout.text).toBe(controls)
  })

  test('adds no newline and takes none away', async () => {
    const { bash } = await shared()
    expect((await run(bash, 'printf x')).stdout.text).toBe('x')
    expect((await run(bash, "printf '\\n\\nx\\n\\n'")).stdout.text).toBe('\n\nx\n\n')
  })

  test('keeps a byte order mark', async () => {
    const { bash } = await shared()
    expect((await run(bash, "printf '\\xef\\xbb\\xbfx'")).stdout.text).toBe('\ufeffx')
  })

  test('joins a character whose bytes come apart', async () => {
    const { bash } = await shared()
    const inPieces = "printf '\\xf0'; sleep 0.05; printf '\\x9f'; sleep 0.05; printf '\\x90\\x8b'"
    const result = await run(bash, `${inPieces}; { ${inPieces}; } >&2`)
    expect({ stdout: result.stdout.text, stderr: result.stderr.text }).toEqual({ stdout: '🐋', stderr: '🐋' })
  })

  test('joins the characters of a long stream wherever it is cut', async () => {
    const { bash } = await shared({ maxOutputBytes: 1_000_000 })
    const result = await run(bash, 'for ((i = 0; i < 3000; i++)); do printf "x€ß🐋%.0s" {1..20}; done')
    expect(result.stdout.text === 'x€ß🐋'.repeat(60_000)).toBe(true)
  })

  test('shows what is not UTF-8 as replacement characters', async () => {
    const { bash } = await shared()
    const result = await run(bash, "printf 'a\\xff\\xfeb\\xe2\\x82'")
    expect(result.stdout.text).toBe('a\ufffd\ufffdb\ufffd')
  })

  test('gives the exact bytes of what is not UTF-8, or disclaims it', async () => {
    const { bash } = await shared()
    const { stdout } = await run(bash, "printf 'a\\xff\\xfeb\\x00\\xe2\\x82'")
    const exact = Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x00, 0xe2, 0x82])
    expectCapability('reportsBytes', stdout.bytes !== undefined && exact.equals(stdout.bytes))
  })

  test('keeps the two streams apart', async () => {
    const { bash } = await shared()
    const result = await run(bash, 'for i in {1..200}; do echo out$i; echo err$i >&2; done')
    const lines = (word: string): string => Array.from({ length: 200 }, (_, i) => `${word}${i + 1}\n`).join('')
    expect({ stdout: result.stdout.text, stderr: result.stderr.text }).toEqual({
      stdout: lines('out'),
      stderr: lines('err'),
    })
  })
}
