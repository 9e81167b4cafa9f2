import type { Subcommand } from '../arguments/subcommand.ts'
import { runOptionGroups, runOptions } from './run-options.ts'
import { run } from './run.ts'

export const subcommand: Subcommand<typeof runOptions> = {
  options: runOptions,
  groups: runOptionGroups,
  notes: [
    'One word is bash code; several are an argument vector, each word taken as it stands.\n' +
      'The -- may be left out when no option is given.',
    "Exit status: the command's; 124 after a timeout; 128 + n when signal n ended it or us;\n" +
      '125 when it could not be run.',
    'Sizes: 64000, 512m, 2g (powers of 1024). Times: 1500 (ms), 30s, 5m, 1h, 24d.',
  ],
  takesWords: true,
  execute: run,
}
