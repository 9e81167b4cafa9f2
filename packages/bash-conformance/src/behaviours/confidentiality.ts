import type { Suite } from '../suite.ts'
import { start } from '../support/commands.ts'
import { expectAlive, processesWith } from '../support/processes.ts'

/** What is passed in `env` and `stdin` is secret: everyone may read the arguments of a process. */
export function confidentiality(suite: Suite): void {
  const { test, expect, shared, mark } = suite

  test('neither a variable nor standard input stands among the arguments of any process', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const [secretValue, secretInput] = [mark(), mark()]
    const task = start(bash, {
      command: `read -r input; ${sleeper}; true`,
      env: { PASSED_SECRET: secretValue },
      stdin: `${secretInput}\n`,
    })
    await expectAlive(suite, world, sleeper)
    const exposed = [...(await processesWith(world, secretValue)), ...(await processesWith(world, secretInput))]
    bash.kill(task.id)
    await task.done
    expect(exposed).toEqual([])
  })
}
