import type { Suite } from '../suite.ts'
import { run } from '../support/commands.ts'

/** What a command may do with its own streams. */
export function stdio({ test, expect, expectCapability, shared }: Suite): void {
  test('may be closed by the command, which then lives on', async () => {
    const { bash } = await shared()
    const result = await run(bash, 'echo before; exec >&- 2>&-; sleep 0.3; exit 7')
    expect({ exitCode: result.exitCode, signal: result.signal, stdout: result.stdout.text }).toEqual({
      exitCode: 7,
      signal: null,
      stdout: 'before\n',
    })
  })

  test('are no terminal', async () => {
    const { bash } = await shared()
    const result = await run(
      bash,
      'for fd in 0 1 2; do [[ -t $fd ]] && echo "terminal $fd" >> /dev/null; [[ ! -t $fd ]]; echo $?; done',
    )
    expect(result.stdout.text).toBe('0\n0\n0\n')
  })

  test('may be duplicated and crossed', async () => {
    const { bash } = await shared()
    const result = await run(bash, 'exec 3>&1; { echo to-stderr; echo to-stdout >&3; } >&2')
    expect({ stdout: result.stdout.text, stderr: result.stderr.text }).toEqual({
      stdout: 'to-stdout\n',
      stderr: 'to-stderr\n',
    })
  })

  test('may be opened anew by name, or the manifest disclaims it', async () => {
    const { bash } = await shared()
    const result = await run(bash, 'echo again > /dev/stdout; echo again > /dev/stderr')
    expectCapability('reopensStdio', result.stdout.text === 'again\n' && result.stderr.text.endsWith('again\n'))
  })
}
