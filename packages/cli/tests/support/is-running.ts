import { readFileSync } from 'node:fs'

/** Whether a process of this host still runs; one that waits for its parent to look at its end does not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] !== 'Z'
  } catch {
    return false // there is none
  }
}
