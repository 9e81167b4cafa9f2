import { createHash, randomBytes } from 'node:crypto'
import type { Suite } from '../suite.ts'
import { run, start, stdoutOf } from '../support/commands.ts'
import { timed } from '../support/poll.ts'

const mebibyte = 2 ** 20

/** Standard input is `/dev/null`, or the given bytes and then end of file. */
export function stdin({ test, expect, timing, shared }: Suite): void {
  test('is a character device that is at its end when the request has none', async () => {
    const { bash } = await shared()
    const kind = '[[ -c /proc/self/fd/0 ]] && echo device; readlink /proc/$$/fd/0; cat | wc -c'
    expect(await stdoutOf(bash, kind)).toBe('device\n/dev/null\n0\n')
  })

  test('is no device and has no bytes when it is the empty string', async () => {
    const { bash } = await shared()
    const kind = '[[ -c /proc/self/fd/0 ]] || echo "not a device"; cat | wc -c'
    expect(await stdoutOf(bash, { command: kind, stdin: '' })).toBe('not a device\n0\n')
  })

  test('arrives byte for byte, without a newline of ours, and ends', async () => {
    const { bash } = await shared()
    const text = 'line\r\n\ttab \'quotes\' "$(id)" \\ ß€🐋\ufeff no newline'
    expect(await stdoutOf(bash, { command: 'cat', stdin: text })).toBe(text)
  })

  test('carries NUL and control characters', async () => {
    const { bash } = await shared()
    const text = 'a\0b\x03\x04\x1a\x1b[0m'
    expect(await stdoutOf(bash, { command: 'cat', stdin: text })).toBe(text)
  })

  test('neither hangs nor harms nor delays a command that never reads it', async () => {
    const { bash } = await shared()
    const unread = 'x'.repeat(5 * mebibyte)
    const { value, elapsedMs } = await timed(() => run(bash, { command: 'echo done; exit 3', stdin: unread }))
    expect({ exitCode: value.exitCode, stdout: value.stdout.text }).toEqual({ exitCode: 3, stdout: 'done\n' })
    expect(elapsedMs).toBeLessThanOrEqual(timing.slackMs)
  })

  test('may be closed early or read only in part', async () => {
    const { bash } = await shared()
    const request = { command: 'head -c 3; exec 0<&-; echo; echo closed', stdin: 'abc'.repeat(mebibyte) }
    const result = await run(bash, request)
    expect({ exitCode: result.exitCode, stdout: result.stdout.text }).toEqual({ exitCode: 0, stdout: 'abc\nclosed\n' })
  })

  test('is read by a background task too', async () => {
    const { bash } = await shared()
    const task = start(bash, { command: 'cat', stdin: 'for the task' })
    await task.done
    expect(bash.readOutput(task.id).delta).toBe('for the task')
  })

  test(
    'passes 50 MiB in and out again unchanged',
    async () => {
      const { bash } = await shared({ maxOutputBytes: 60 * mebibyte })
      const text = randomBytes(18 * mebibyte).toString('base64') + 'ß€🐋'.repeat(3 * mebibyte)
      const result = await run(bash, { command: 'tee >(sha256sum >&2); wait $!', stdin: text })
      const hash = createHash('sha256').update(text).digest('hex')
      expect(result.stderr.text).toBe(`${hash}  -\n`)
      expect({ truncated: result.stdout.truncated, same: result.stdout.text === text }).toEqual({
        truncated: false,
        same: true,
      })
    },
    timing.heavyTestMs,
  )
}
