import type { BashExecutor } from 'dsh-bash'
import { run } from './commands.ts'

/** The mark comes on standard input: among the arguments, this very command would carry it. */
const endMarked = `
read -r mark
for directory in /proc/[0-9]*; do
  mapfile -d '' -t argv < "$directory/cmdline"
  [[ \${argv[*]} == *"$mark"* ]] && kill -KILL "\${directory#/proc/}"
done 2> /dev/null`

/** Ends what an executor may leave alive, with the authority of a command in the same world. */
export async function endMarkedProcesses(bash: BashExecutor, mark: string): Promise<void> {
  await run(bash, { command: endMarked, stdin: `${mark}\n` })
}
