import type { BashExecRequest } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { refusalOf, run, start } from '../support/commands.ts'
import { expectNothingRan } from '../support/nothing-ran.ts'

/** What cannot be run is refused with a stable code before anything starts. */
export function badInput(suite: Suite): void {
  const { test, expect, capabilities, shared } = suite

  const expectRefused = async (code: string, requestOf: (command: string) => BashExecRequest): Promise<void> => {
    const { bash } = await shared()
    await expectNothingRan(suite, async (command) => {
      const request = requestOf(command)
      const refusal = await refusalOf(bash, request)
      expect({ request, code: refusal?.code }).toEqual({ request, code })
      expect(refusal?.hint).toMatch(/\w+/)
    })
  }

  test('a blank command', async () => {
    for (const command of ['', ' ', '\n\t ']) await expectRefused('COMMAND_BLANK', () => ({ command }))
  })

  test('a NUL in the command', async () => {
    await expectRefused('COMMAND_INVALID', (command) => ({ command: `${command}\0` }))
    await expectRefused('COMMAND_INVALID', (command) => ({ command: `${command} #\0 and more` }))
  })

  test('a NUL in the workdir', async () => {
    await expectRefused('WORKDIR_INVALID', (command) => ({ command, workdir: '/tmp\0/x' }))
  })

  test('a variable without a usable name', async () => {
    for (const name of ['', 'A=B', '=', 'A\0B']) {
      await expectRefused('ENV_INVALID', (command) => ({ command, env: { GOOD: '1', [name]: 'x' } }))
    }
  })

  test('a variable whose value is no string without NUL', async () => {
    await expectRefused('ENV_INVALID', (command) => ({ command, env: { A: 'x\0y' } }))
    for (const value of [undefined, null, 7]) {
      const env = { A: value } as unknown as Record<string, string>
      await expectRefused('ENV_INVALID', (command) => ({ command, env }))
    }
  })

  test('a command that is longer than an argument can be', async () => {
    const { bash } = await shared()
    const { maxCommandBytes } = capabilities.limits
    const longest = `exit 3 #${'x'.repeat(maxCommandBytes - 'exit 3 #'.length)}`
    expect((await run(bash, longest)).exitCode).toBe(3)
    expect((await refusalOf(bash, { command: `${longest}x` }))?.code).toBe('COMMAND_TOO_LARGE')
    const inBytes = `exit 3 #${'€'.repeat(Math.ceil(maxCommandBytes / 3))}`
    expect((await refusalOf(bash, { command: inBytes }))?.code).toBe('COMMAND_TOO_LARGE')
  })

  test('is a killed task in the background, which says why', async () => {
    const { bash } = await shared()
    const task = start(bash, { command: 'true', env: { '': 'x' } })
    await task.done
    expect([task.status, task.exitCode]).toEqual(['killed', null])
    expect(bash.readOutput(task.id).delta).toMatch(/^\[stderr\]\nspawn failed: ./)
  })
}
