import type { Suite } from '../suite.ts'
import { run } from '../support/commands.ts'

const maxOutputBytes = 1000

/** Of each stream at most `maxOutputBytes` are kept in memory: the tail, to the byte. */
export function outputCap({ test, expect, capabilities, expectCapability, shared }: Suite): void {
  test('keeps a stream of exactly the cap whole', async () => {
    const { bash } = await shared({ maxOutputBytes })
    const { stdout } = await run(bash, `printf '%0${maxOutputBytes}d' 7`)
    expect({ text: stdout.text, truncated: stdout.truncated }).toEqual({
      text: '7'.padStart(maxOutputBytes, '0'),
      truncated: false,
    })
    expect('spillPath' in stdout).toBe(false)
  })

  test('drops exactly the first byte of a stream that is one byte longer', async () => {
    const { bash } = await shared({ maxOutputBytes })
    const { stdout } = await run(bash, `printf 'F%0${maxOutputBytes}d' 7`)
    expect({ text: stdout.text, truncated: stdout.truncated }).toEqual({
      text: '7'.padStart(maxOutputBytes, '0'),
      truncated: true,
    })
  })

  test('keeps the last bytes of a long stream that comes in pieces of every size', async () => {
    const { bash } = await shared({ maxOutputBytes })
    const { stdout } = await run(bash, 'for ((i = 0; i < 300; i++)); do printf "%*s|" $i $i; done; seq 5000')
    const whole =
      Array.from({ length: 300 }, (_, i) => `${String(i).padStart(i)}|`).join('') +
      Array.from({ length: 5000 }, (_, i) => `${i + 1}\n`).join('')
    expect({ text: stdout.text, truncated: stdout.truncated }).toEqual({
      text: whole.slice(-maxOutputBytes),
      truncated: true,
    })
  })

  test('counts each stream by itself', async () => {
    const { bash } = await shared({ maxOutputBytes })
    const { stdout, stderr } = await run(bash, `printf '%02000d' 1; printf '%0900d' 2 >&2`)
    expect([stdout.truncated, stdout.text.length, stderr.truncated, stderr.text.length]).toEqual([
      true,
      1000,
      false,
      900,
    ])
    const swapped = await run(bash, `printf '%02000d' 1 >&2; printf '%0900d' 2`)
    expect([swapped.stdout.truncated, swapped.stderr.truncated]).toEqual([false, true])
  })

  test('cuts by bytes, within a character if need be', async () => {
    const { bash } = await shared({ maxOutputBytes })
    const { stdout } = await run(bash, 'printf "€%.0s" {1..400}')
    expect({ text: stdout.text, truncated: stdout.truncated }).toEqual({
      text: `\ufffd${'€'.repeat(333)}`,
      truncated: true,
    })
    const tail = Buffer.from('€'.repeat(400)).subarray(-maxOutputBytes)
    expect(stdout.bytes !== undefined && tail.equals(stdout.bytes)).toBe(capabilities.reportsBytes)
  })

  test('tells the length of the whole stream, or the manifest disclaims it', async () => {
    const { bash } = await shared({ maxOutputBytes })
    const { stdout } = await run(bash, 'head -c 123457 /dev/zero')
    expectCapability('reportsTotalBytes', stdout.totalBytes === 123_457)
  })
}
