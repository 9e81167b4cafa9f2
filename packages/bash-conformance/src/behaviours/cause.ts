import type { Suite } from '../suite.ts'
import { run } from '../support/commands.ts'
import { assertNotThisHost } from '../support/not-this-host.ts'

/** Which limit of its world ended a command, or stood in its way. */
export function cause({ test, expect, expectCapability, capabilities, shared, timing }: Suite): void {
  test('is not given for a command that met no limit', async () => {
    const { bash } = await shared()
    expect('cause' in (await run(bash, 'exit 1'))).toBe(false)
    expect('cause' in (await run(bash, 'kill -KILL $$'))).toBe(false)
  })

  // Without limits of its own a world could only be hurt by the attempts.
  if (!capabilities.reportsCause || !capabilities.isolated) return

  test('is the disk, with the limit, when a file system is full', async () => {
    const { bash } = await shared()
    await assertNotThisHost(bash)
    const result = await run(bash, 'head -c 64G /dev/zero > /tmp/full; code=$?; rm -f /tmp/full.*; exit $code')
    expectCapability('reportsCause', result.cause?.kind === 'disk-full')
    expect(result.cause?.limit?.value ?? 0).toBeGreaterThanOrEqual(1)
    await run(bash, 'rm /tmp/full')
  })

  test(
    'is the memory, with the limit, when the kernel ended it',
    async () => {
      const { bash } = await shared()
      await assertNotThisHost(bash)
      const result = await run(bash, 'x=$(tr "\\0" x < /dev/zero | head -c 64G); echo ${#x}')
      expectCapability('reportsCause', result.cause?.kind === 'out-of-memory')
      expect(result.cause?.limit?.value ?? 0).toBeGreaterThanOrEqual(1)
    },
    timing.heavyTestMs,
  )
}
