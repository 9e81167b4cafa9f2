import type { BashRunResult } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { run } from '../support/commands.ts'
import { mapBounded } from '../support/map-bounded.ts'

const commandsAtOnce = 8

/** A non-zero exit is a result, and the code is the command's own. */
export function exitCodes({ test, expect, timing, shared }: Suite): void {
  test(
    'reports each of the 256 exit codes',
    async () => {
      const { bash } = await shared()
      const codes = Array.from({ length: 256 }, (_, code) => code)
      const exits = await mapBounded(codes, commandsAtOnce, async (code) => exitOf(await run(bash, `exit ${code}`)))
      expect(exits).toEqual(codes.map((exitCode) => ({ exitCode, signal: null })))
    },
    timing.heavyTestMs,
  )

  test('takes no exit code above 128 for a signal', async () => {
    const { bash } = await shared()
    for (const exitCode of [130, 137, 143, 255]) {
      expect(exitOf(await run(bash, `exit ${exitCode}`))).toEqual({ exitCode, signal: null })
    }
  })

  test('reports 127 for a command that does not exist and 126 for one that cannot be executed', async () => {
    const { bash } = await shared()
    const missing = await run(bash, 'no-such-command-anywhere')
    expect(exitOf(missing)).toEqual({ exitCode: 127, signal: null })
    expect(missing.stderr.text).toContain('no-such-command-anywhere')
    expect(exitOf(await run(bash, '/'))).toEqual({ exitCode: 126, signal: null })
  })

  test('reports the code of the last command, of a failed pipeline only with pipefail', async () => {
    const { bash } = await shared()
    expect((await run(bash, 'false; true')).exitCode).toBe(0)
    expect((await run(bash, '(exit 3) | true')).exitCode).toBe(0)
    expect((await run(bash, 'set -o pipefail; (exit 3) | true')).exitCode).toBe(3)
  })

  test('takes no output of a command for a failure of what runs it', async () => {
    const { bash } = await shared()
    const forged = 'OCI runtime exec failed: exec failed: unable to start container process'
    for (const exitCode of [126, 127]) {
      const result = await run(bash, `echo '${forged}'; exit ${exitCode}`)
      expect({ ...exitOf(result), stdout: result.stdout.text }).toEqual({
        exitCode,
        signal: null,
        stdout: `${forged}\n`,
      })
    }
  })

  test('reports a syntax error as exit code 2 with the reason on stderr', async () => {
    const { bash } = await shared()
    const result = await run(bash, 'if true; then')
    expect(exitOf(result)).toEqual({ exitCode: 2, signal: null })
    expect(result.stderr.text).toContain('syntax error')
  })
}

function exitOf({ exitCode, signal }: BashRunResult): Pick<BashRunResult, 'exitCode' | 'signal'> {
  return { exitCode, signal }
}
