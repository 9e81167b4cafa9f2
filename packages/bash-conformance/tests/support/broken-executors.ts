import { brokenCommands } from './broken/broken-commands.ts'
import { brokenEndings } from './broken/broken-endings.ts'
import { brokenOutput } from './broken/broken-output.ts'
import { brokenTasks } from './broken/broken-tasks.ts'
import { brokenWorlds } from './broken/broken-worlds.ts'
import type { BrokenExecutor } from './broken/broken-executor.ts'

/** One for each behaviour of the suite. */
export const brokenExecutors: readonly BrokenExecutor[] = [
  ...brokenCommands,
  ...brokenEndings,
  ...brokenOutput,
  ...brokenTasks,
  ...brokenWorlds,
]
