import type { Suite } from '../suite.ts'
import { run, stdoutOf } from '../support/commands.ts'
import { assertNotThisHost } from '../support/not-this-host.ts'

/** What commands try against that which runs them. */
const attempts = [
  ['signals to the first process', 'kill -TERM 1; kill -KILL 1; kill -STOP 1'],
  ['signals to every process', 'kill -KILL -1'],
  ['writing to its descriptors', 'for fd in /proc/1/fd/*; do echo forged > "$fd"; done; echo forged > /proc/1/fd/1'],
  ['reading its memory', 'head -c 1 /proc/1/mem; cat /proc/1/environ /proc/1/maps'],
  ['making it the first victim', 'echo 1000 > /proc/1/oom_score_adj'],
  ['filling its standard output with what looks like frames', 'head -c 1000000 /dev/urandom'],
] as const

/** A session goes on, and keeps what is in it, whatever its commands do to what runs them. */
export function tampering(suite: Suite): void {
  const { test, expect, capabilities, shared } = suite
  test('is claimed to be withstood by sandboxes alone', async () => {
    await shared()
    const { withstandsTampering, withstandsForkBombs, isolated } = capabilities
    expect((withstandsTampering || withstandsForkBombs) && !isolated).toBe(false)
  })

  // On a host that is not a sandbox, some of the attempts would do what they say.
  if (!capabilities.isolated) return
  if (capabilities.withstandsTampering) testAttempts(suite)
  if (capabilities.withstandsForkBombs) testForkBomb(suite)
}

function testAttempts({ test, expect, shared, mark }: Suite): void {
  for (const [what, attempt] of attempts) {
    test(`by ${what} leaves the session answering`, async () => {
      const { bash } = await shared()
      await assertNotThisHost(bash)
      const file = `/tmp/kept-${mark()}`
      await run(bash, `echo kept > ${file}`)
      await run(bash, `{ ${attempt}; } 2> /dev/null`)
      expect(await stdoutOf(bash, `cat ${file}`)).toBe('kept\n')
    })
  }

  test('by floods on 20 channels leaves the session answering', async () => {
    const { bash } = await shared()
    const floods = Array.from({ length: 20 }, () => run(bash, { command: 'yes', timeoutMs: 1500 }))
    expect(await stdoutOf(bash, 'echo answers')).toBe('answers\n')
    for (const flood of await Promise.all(floods)) expect(flood.timedOut).toBe(true)
  })
}

function testForkBomb({ test, expect, shared }: Suite): void {
  test('by a fork bomb leaves the session answering, and the bomb ends with its timeout', async () => {
    const { bash } = await shared()
    await assertNotThisHost(bash)
    const bomb = await run(bash, { command: 'bomb() { bomb | bomb & }; bomb 2> /dev/null; sleep 60', timeoutMs: 1500 })
    expect(bomb.timedOut).toBe(true)
    expect(bomb.receipt?.remainingCount).toBe(0)
    expect(await stdoutOf(bash, 'echo answers')).toBe('answers\n')
  })
}
