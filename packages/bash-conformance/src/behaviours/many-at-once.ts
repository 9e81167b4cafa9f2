import type { Suite } from '../suite.ts'
import { run, start } from '../support/commands.ts'

const commandCount = 40

/** Commands that run at the same time know nothing of each other. */
export function manyAtOnce({ test, expect, timing, shared }: Suite): void {
  test(
    'gives each of 40 commands its own input, environment, output and exit code',
    async () => {
      const { bash } = await shared()
      const answers = await Promise.all(
        Array.from({ length: commandCount }, async (_, i) => {
          const request = {
            command: `read -r input; echo "$OWN $input"; echo err${i} >&2; exit ${i}`,
            stdin: `in${i}\n`,
          }
          const result = await run(bash, { ...request, env: { OWN: `env${i}` } })
          return [result.exitCode, result.stdout.text, result.stderr.text]
        }),
      )
      expect(answers).toEqual(answers.map((_, i) => [i, `env${i} in${i}\n`, `err${i}\n`]))
    },
    timing.heavyTestMs,
  )

  test(
    'gives each of 40 tasks its own output and end',
    async () => {
      const { bash } = await shared()
      const tasks = Array.from({ length: commandCount }, (_, i) => start(bash, `echo task${i}; exit ${i}`))
      await Promise.all(tasks.map((task) => task.done))
      const answers = tasks.map((task) => [task.status, task.exitCode, bash.readOutput(task.id).delta])
      expect(answers).toEqual(tasks.map((_, i) => ['completed', i, `task${i}\n`]))
    },
    timing.heavyTestMs,
  )
}
