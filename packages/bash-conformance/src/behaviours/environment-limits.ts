import type { BashExecutor } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { refusalOf, run } from '../support/commands.ts'
import { expectNothingRan } from '../support/nothing-ran.ts'

/** How many variables are tried where only their size counts. */
const manyVariables = 2000

/** An environment of the size that the manifest names is passed on whole; a larger one is refused. */
export function environmentLimits(suite: Suite): void {
  const { test, expect, capabilities, shared } = suite
  const { maxEnvStringBytes, envBytes, maxEnvVariables } = capabilities.limits

  const expectRefused = async (bash: BashExecutor, env: Record<string, string>): Promise<void> => {
    await expectNothingRan(suite, async (command) => {
      expect((await refusalOf(bash, { command, env }))?.code).toBe('ENV_TOO_LARGE')
    })
  }

  test('passes a variable of the largest size and refuses a larger one', async () => {
    const { bash } = await shared()
    const largest = 'x'.repeat(maxEnvStringBytes - 'BIG='.length)
    const result = await run(bash, { command: 'echo ${#BIG}', env: { BIG: largest } })
    expect(result.stdout.text).toBe(`${largest.length}\n`)
    await expectRefused(bash, { BIG: `${largest}x` })
  })

  test('counts bytes, not characters', async () => {
    const { bash } = await shared()
    await expectRefused(bash, { BIG: '€'.repeat(Math.ceil(maxEnvStringBytes / 3)) })
  })

  test('passes many variables, and refuses one more than the manifest allows', async () => {
    const { bash } = await shared()
    const names = Array.from({ length: maxEnvVariables ?? manyVariables }, (_, i) => `MANY_${i}`)
    const env = Object.fromEntries(names.map((name) => [name, 'x']))
    const result = await run(bash, { command: 'compgen -v MANY_ | wc -l', env })
    expect(result.stdout.text).toBe(`${names.length}\n`)
    if (maxEnvVariables !== undefined) await expectRefused(bash, { ...env, ONE_MORE: 'x' })
  })

  test('passes the total that the manifest accepts and refuses the one that it refuses', async () => {
    const { bash } = await shared()
    const command = 'tr "\\0" "\\n" < /proc/$$/environ | grep "^PART_" | wc -c'
    const result = await run(bash, { command, env: environmentOfBytes(envBytes.accepted, maxEnvStringBytes) })
    expect(result.stdout.text).toBe(`${envBytes.accepted}\n`)
    await expectRefused(bash, environmentOfBytes(envBytes.refused, maxEnvStringBytes))
  })
}

/** Variables that take exactly `totalBytes`, `=` and terminator included, none of them over the largest size. */
function environmentOfBytes(totalBytes: number, maxStringBytes: number): Record<string, string> {
  const count = Math.ceil(totalBytes / (maxStringBytes / 2))
  const startOf = (index: number): number => Math.floor((index * totalBytes) / count)
  const entries = Array.from({ length: count }, (_, i) => {
    const name = `PART_${i}`
    return [name, 'x'.repeat(startOf(i + 1) - startOf(i) - `${name}=\0`.length)]
  })
  return Object.fromEntries(entries) as Record<string, string>
}
