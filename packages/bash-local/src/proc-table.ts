import { readdirSync, readFileSync } from 'node:fs'

/** One line of the kernel's process table: `/proc/<pid>/stat`, see proc(5). */
export interface ProcEntry {
  pid: number
  /** One letter; `Z` and `X` are dead. */
  state: string
  parentPid: number
  processGroup: number
  session: number
  /** In clock ticks after boot; together with the pid it names a process for good. */
  startTicks: number
}

/** Every live process of this pid namespace. Zombies are not alive. */
export function readProcTable(): ProcEntry[] {
  const entries: ProcEntry[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const entry = readEntry(name)
    if (entry !== undefined && entry.state !== 'Z' && entry.state !== 'X') entries.push(entry)
  }
  return entries
}

/** Whether the environment that a process started with holds `assignment` (`NAME=value`). */
export function environHolds(pid: number, assignment: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(assignment)
  } catch {
    return false // gone, or another user's
  }
}

function readEntry(pid: string): ProcEntry | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined // gone since the directory was read
  }
  // The second field is the name in parentheses and may hold anything, spaces and parentheses too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    pid: Number(pid),
    state: fields[0] as string,
    parentPid: Number(fields[1]),
    processGroup: Number(fields[2]),
    session: Number(fields[3]),
    startTicks: Number(fields[19]),
  }
}
