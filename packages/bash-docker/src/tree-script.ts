import type { TreeSignal } from 'dsh-bash-process'

/**
 * Finds and signals the processes of one command from a second exec of the same user, in bash
 * alone: an image may have nothing else, and a session at its pids limit can fork nothing.
 *
 * Arguments: the marker assignment, the signal (empty to probe), then the kernel sessions known to
 * be the command's. An exec leads a session of its own, so every session in which a process
 * carries the marker is the command's, and so is whoever is in it, marker or not.
 *
 * Signals go out in the order of the process numbers: a parent comes before the child for whose end it waits, and
 * does not go on to end in its own way between the two.
 *
 * Prints how many were alive, then those sessions.
 */
const script = `
marker=$1 signal=$2
shift 2
declare -A ours=()
for session; do ours[$session]=1; done
declare -a session_of=()
for directory in /proc/[0-9]*; do
  { read -r stat < "$directory/stat"; } 2>/dev/null || continue
  fields=(\${stat##*) })
  [[ \${fields[0]} == [ZX] ]] && continue
  session=\${fields[3]}
  session_of[\${directory#/proc/}]=$session
  { mapfile -d '' -t environ < "$directory/environ"; } 2>/dev/null || continue
  for assignment in "\${environ[@]}"; do
    [[ $assignment == "$marker" ]] && ours[$session]=1
  done
done
members=()
for pid in "\${!session_of[@]}"; do
  [[ -n \${ours[\${session_of[$pid]}]-} ]] && members+=("$pid")
done
if [[ -n $signal && \${#members[@]} -gt 0 ]]; then
  kill -s "$signal" -- "\${members[@]}"
  [[ $signal == TERM ]] && kill -s CONT -- "\${members[@]}"
fi 2>/dev/null
echo "\${#members[@]}" "\${!ours[@]}"
`

/** The argument vector of one look at a command's processes. */
export function treeScript(marker: string, signal: TreeSignal, sessions: Iterable<string>): string[] {
  const name = signal === 'probe' ? '' : signal.replace('SIG', '')
  return ['bash', '-c', script, 'bash', marker, name, ...sessions]
}

/** What {@link treeScript} printed. */
export function parseTreeReport(text: string): { aliveCount: number; sessions: string[] } | undefined {
  const match = /^(\d+)((?: \d+)*)\s*$/.exec(text)
  if (match === null) return undefined
  return { aliveCount: Number(match[1]), sessions: (match[2] as string).split(' ').filter((word) => word !== '') }
}
