import { createHash } from 'node:crypto'
import type { BashExecutor } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { quoted, run, stdoutOf } from '../support/commands.ts'
import { readWholeSpill, refusalOfReadSpill } from '../support/read-spill.ts'

const limits = { maxOutputBytes: 1000, maxSpillBytes: 50_000 }

/** A stream over the cap is whole in a file, its earlier bytes included, or the file is not named. */
export function spill({ test, expect, capabilities, expectCapability, shared, fresh }: Suite): void {
  /** The SHA-256 of a spill, by each way that the manifest claims. */
  const expectSpill = async (bash: BashExecutor, path: string | undefined, sha256: string): Promise<void> => {
    expect(path).toMatch(/^\//)
    if (path === undefined) return
    const readable = (await stdoutOf(bash, `sha256sum < ${quoted(path)}`)) === `${sha256}  -\n`
    expectCapability('spillReadable', readable)
    const bytes = await readWholeSpill(bash, path)
    expectCapability('readSpill', bytes !== undefined && sha256Of(bytes) === sha256)
  }

  test('holds the complete stream, for commands and for the host', async () => {
    const { bash } = await shared(limits)
    const { stdout } = await run(bash, 'seq 5000')
    const whole = Array.from({ length: 5000 }, (_, i) => `${i + 1}\n`).join('')
    expect({ text: stdout.text, truncated: stdout.truncated }).toEqual({ text: whole.slice(-1000), truncated: true })
    await expectSpill(bash, stdout.spillPath, sha256Of(Buffer.from(whole)))
  })

  test('holds bytes of every value', async () => {
    const { bash } = await shared(limits)
    const everyByte = Buffer.from(Array.from({ length: 256 * 64 }, (_, i) => i % 256))
    const print = 'for i in {1..64}; do printf "$(printf "\\\\x%02x" {0..255})"; done'
    await expectSpill(bash, (await run(bash, print)).stdout.spillPath, sha256Of(everyByte))
  })

  test('is one for each stream', async () => {
    const { bash } = await shared(limits)
    const { stdout, stderr } = await run(bash, `printf '%02000d' 1; printf '%03000d' 2 >&2`)
    await expectSpill(bash, stdout.spillPath, sha256Of('1'.padStart(2000, '0')))
    await expectSpill(bash, stderr.spillPath, sha256Of('2'.padStart(3000, '0')))
  })

  test('may be exactly as long as maxSpillBytes', async () => {
    const { bash } = await shared(limits)
    const { stdout } = await run(bash, `printf '%0${limits.maxSpillBytes}d' 1`)
    await expectSpill(bash, stdout.spillPath, sha256Of('1'.padStart(limits.maxSpillBytes, '0')))
  })

  test('is not named when the stream is longer than maxSpillBytes, and the result does not suffer', async () => {
    const { bash } = await shared(limits)
    const { exitCode, stdout } = await run(bash, `printf '%0${limits.maxSpillBytes + 1}d' 1; exit 6`)
    expect({ exitCode, text: stdout.text, truncated: stdout.truncated }).toEqual({
      exitCode: 6,
      text: '1'.padStart(1000, '0'),
      truncated: true,
    })
    expect('spillPath' in stdout).toBe(false)
  })

  test('does not exist for a stream that fits', async () => {
    const { bash } = await shared(limits)
    const { stdout, stderr } = await run(bash, `printf '%01000d' 1; printf '%02000d' 2 >&2`)
    expect(['spillPath' in stdout, 'spillPath' in stderr]).toEqual([false, true])
  })

  test('is the only thing that readSpill gives', async () => {
    const { bash } = await shared(limits)
    for (const path of ['/etc/passwd', 'relative', '']) {
      expect(await refusalOfReadSpill(bash, path)).toBe(capabilities.readSpill ? 'SPILL_UNAVAILABLE' : undefined)
    }
  })

  test('is gone with the executor', async () => {
    let path = ''
    await fresh(limits, async (executor) => {
      path = (await run(executor.bash, 'seq 5000')).stdout.spillPath ?? ''
      expect(path).toMatch(/^\//)
      await executor.dispose()
      expect(await refusalOfReadSpill(executor.bash, path)).toBe(
        capabilities.readSpill ? 'SPILL_UNAVAILABLE' : undefined,
      )
    })
    const { world } = await shared()
    expect(await world.fileText(path)).toBe(undefined)
  })
}

function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
