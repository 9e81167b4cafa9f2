import type { Suite } from '../suite.ts'
import { run } from '../support/commands.ts'

/** A result states facts, each in its own field, and leaves out what does not apply. */
export function resultShape({ test, expect, shared }: Suite): void {
  test('gives small output whole, with no field that does not apply', async () => {
    const { bash } = await shared()
    const { stdout, stderr } = await run(bash, 'echo out; echo err >&2')
    for (const [collected, text] of [
      [stdout, 'out\n'],
      [stderr, 'err\n'],
    ] as const) {
      expect({ text: collected.text, truncated: collected.truncated }).toEqual({ text, truncated: false })
      expect('spillPath' in collected || 'bytes' in collected).toBe(false)
    }
  })

  test('gives empty output as the empty string', async () => {
    const { bash } = await shared()
    const { stdout, stderr } = await run(bash, 'true')
    expect([stdout.text, stderr.text, stdout.truncated, stderr.truncated]).toEqual(['', '', false, false])
  })

  test('states the effective timeout, and no cause that did not apply', async () => {
    const { bash } = await shared()
    const { timeoutMs, timedOut, aborted, exitCode, signal } = await run(bash, { command: 'exit 1', timeoutMs: 4321 })
    expect({ timeoutMs, timedOut, aborted, exitCode, signal }).toEqual({
      timeoutMs: 4321,
      timedOut: false,
      aborted: false,
      exitCode: 1,
      signal: null,
    })
  })

  test('has no optional fact with the value undefined', async () => {
    const { bash } = await shared()
    const result = await run(bash, 'echo x')
    const undefinedFields = [result, result.stdout, result.stderr].flatMap((part) =>
      Object.entries(part).filter(([, value]) => value === undefined),
    )
    expect(undefinedFields).toEqual([])
  })

  test('is the same whoever owns the command', async () => {
    const { bash } = await shared()
    const spec = bash.resolve({ command: 'echo x; echo y >&2; exit 4' })
    const facts = [undefined, 'someone', ''].map(async (owner) => {
      const result = await bash.run({ ...spec, owner: owner as typeof spec.owner })
      return [result.exitCode, result.signal, result.stdout.text, result.stderr.text, result.timeoutMs]
    })
    const [ownerless, ...owned] = await Promise.all(facts)
    for (const result of owned) expect(result).toEqual(ownerless)
  })
}
