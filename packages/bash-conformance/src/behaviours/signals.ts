import { constants } from 'node:os'
import type { Suite } from '../suite.ts'
import { run } from '../support/commands.ts'

const fatalSignals = ['SIGHUP', 'SIGINT', 'SIGABRT', 'SIGKILL', 'SIGUSR1', 'SIGSEGV', 'SIGALRM', 'SIGTERM'] as const

/** A command that a signal ends is told by its signal, and is neither timed out nor aborted. */
export function signals({ test, expect, capabilities, expectCapability, shared }: Suite): void {
  test('reports the signal that ended a command, or 128 + n where that is disclaimed', async () => {
    const { bash } = await shared()
    for (const signal of fatalSignals) {
      const result = await run(bash, `kill -${signal.slice(3)} $$; echo survived`)
      expect({ exitCode: result.exitCode, signal: result.signal, stdout: result.stdout.text }).toEqual({
        ...(capabilities.exactSignals
          ? { exitCode: null, signal }
          : { exitCode: 128 + constants.signals[signal], signal: null }),
        stdout: '',
      })
    }
  })

  test('tells death by a signal from an exit with 128 + n exactly when exact signals are claimed', async () => {
    const { bash } = await shared()
    const died = await run(bash, 'kill -TERM $$')
    const exited = await run(bash, 'exit 143')
    expectCapability('exactSignals', died.exitCode !== exited.exitCode && died.signal !== exited.signal)
  })

  test('calls a command that signals itself neither timed out nor aborted', async () => {
    const { bash } = await shared()
    const { timedOut, aborted } = await run(bash, 'kill -TERM $$')
    expect({ timedOut, aborted }).toEqual({ timedOut: false, aborted: false })
  })

  test('does not take the death of a child for that of the command', async () => {
    const { bash } = await shared()
    const result = await run(bash, `bash -c 'kill -KILL $$'; echo "child: $?"`)
    expect({ exitCode: result.exitCode, signal: result.signal }).toEqual({ exitCode: 0, signal: null })
    expect(result.stdout.text).toBe('child: 137\n')
  })

  test('starts a command with the default disposition of every signal', async () => {
    const { bash } = await shared()
    // bash names what it was told to ignore; the masks are not in every kernel's `status`.
    const lookups = 'trap -p; sed -nE "s/^Sig(Ign|Blk):\\t//p" /proc/$$/status'
    const result = await run(bash, `yes | head -n 1; echo "\${PIPESTATUS[0]}"; ${lookups}`)
    expect(result.stdout.text).toMatch(/^y\n141\n(0{16}\n0{16}\n)?$/)
  })
}
