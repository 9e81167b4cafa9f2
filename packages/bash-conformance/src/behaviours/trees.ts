import type { Suite } from '../suite.ts'
import { run, start } from '../support/commands.ts'
import { expectAlive, expectGone } from '../support/processes.ts'

/** Ways to have a process; each command makes one `sleeper` and stays. */
const familyMembers: Record<string, (sleeper: string) => string> = {
  'the last command itself': (sleeper) => `exec ${sleeper}`,
  'every part of a pipeline': (sleeper) => `${sleeper} | ${sleeper}1 | cat`,
  'a subshell in a subshell': (sleeper) => `( ( ${sleeper}; true ); true ); true`,
  'a command substitution': (sleeper) => `x=$(${sleeper})`,
  'a background child': (sleeper) => `${sleeper} & wait`,
  'a coprocess': (sleeper) => `coproc ${sleeper}; wait`,
  'a child under nohup': (sleeper) => `nohup ${sleeper} > /dev/null 2>&1 & wait`,
  'a disowned child': (sleeper) => `${sleeper} & disown; ${sleeper}1; true`,
  'a child that closed its streams': (sleeper) => `${sleeper} <&- >&- 2>&- & wait`,
  'an orphan of the same group': (sleeper) => `(${sleeper} &); ${sleeper}1; true`,
  'a child that ignores TERM when its parent does not': (sleeper) => `(trap "" TERM; exec ${sleeper}) & wait`,
  'children that are forked while the kill goes on': (sleeper) =>
    `trap "" TERM; while :; do ${sleeper} & sleep 0.03; done`,
}

/** What ends a command ends everything that it started. */
export function trees(suite: Suite): void {
  const { test, shared, mark, timing } = suite

  for (const [member, commandOf] of Object.entries(familyMembers)) {
    test(`the kill takes along ${member}`, async () => {
      const { bash, world } = await shared()
      const sleeper = `sleep 86400.${mark()}`
      const task = start(bash, commandOf(sleeper))
      await expectAlive(suite, world, sleeper)
      bash.kill(task.id)
      await task.done
      await expectGone(suite, world, sleeper)
    })
  }

  test('the timeout takes along the whole tree', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    await run(bash, { command: `(trap "" TERM; exec ${sleeper}) & ${sleeper} | cat`, timeoutMs: timing.graceMs })
    await expectGone(suite, world, sleeper)
  })

  test('the abort takes along the whole tree', async () => {
    const { bash, world } = await shared()
    const sleeper = `sleep 86400.${mark()}`
    const controller = new AbortController()
    const command = `(trap "" TERM; exec ${sleeper}) & ${sleeper} | cat`
    const running = run(bash, { command, signal: controller.signal })
    await expectAlive(suite, world, sleeper)
    controller.abort()
    await running
    await expectGone(suite, world, sleeper)
  })
}
