import type { TreeSignal } from 'dsh-bash-process'
import { environHolds, type ProcEntry, readProcTable } from './proc-table.ts'

/**
 * The processes of one command: its group and session, everything that descends from those, and
 * whoever carries its marker in the environment. Remembers whom it has seen, since a process whose
 * parent died no longer shows where it came from.
 */
export interface ProcessTree {
  /** Signals all of them and says how many were alive. */
  signal(signal: TreeSignal): number
}

/** For Linux, where `/proc` tells. */
export class ProcProcessTree implements ProcessTree {
  private readonly leaderPid: number | undefined
  /** What the environment of a member holds: a `NAME=value`, or the beginning of one. */
  private readonly marker: string
  /** Start time by pid: a pid that was reused has another. */
  private readonly seen = new Map<number, number>()

  /** Without a leader, members are known by their marker and their ancestry alone. */
  constructor(leaderPid: number | undefined, marker: string) {
    this.leaderPid = leaderPid
    this.marker = marker
  }

  signal(signal: TreeSignal): number {
    const members = this.findMembers()
    if (signal !== 'probe') {
      send(members, this.leaderPid, signal)
      // A stopped process acts on TERM only when it goes on.
      if (signal === 'SIGTERM') send(members, this.leaderPid, 'SIGCONT')
    }
    return members.length
  }

  private findMembers(): ProcEntry[] {
    const table = readProcTable()
    const members = new Map<number, ProcEntry>()
    for (const entry of table) if (this.isMember(entry)) members.set(entry.pid, entry)
    // Children come in any order of pid, so repeat until nobody joins.
    for (let joined = true; joined;) {
      joined = false
      for (const entry of table) {
        if (members.has(entry.pid) || !members.has(entry.parentPid)) continue
        members.set(entry.pid, entry)
        joined = true
      }
    }
    for (const entry of members.values()) this.seen.set(entry.pid, entry.startTicks)
    return [...members.values()]
  }

  private isMember(entry: ProcEntry): boolean {
    return (
      entry.processGroup === this.leaderPid ||
      entry.session === this.leaderPid ||
      this.seen.get(entry.pid) === entry.startTicks ||
      environHolds(entry.pid, this.marker)
    )
  }
}

/** Elsewhere: the process group alone. */
export class GroupProcessTree implements ProcessTree {
  private readonly leaderPid: number

  constructor(leaderPid: number) {
    this.leaderPid = leaderPid
  }

  signal(signal: TreeSignal): number {
    const isAlive = kill(-this.leaderPid, signal === 'probe' ? 0 : signal)
    if (signal === 'SIGTERM') kill(-this.leaderPid, 'SIGCONT')
    return isAlive ? 1 : 0
  }
}

/** The group at once, so that no member sees another die first; each other process by itself. */
function send(members: ProcEntry[], group: number | undefined, signal: NodeJS.Signals): void {
  if (group !== undefined && members.some((member) => member.processGroup === group)) kill(-group, signal)
  for (const member of members) if (member.processGroup !== group) kill(member.pid, signal)
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    // ESRCH: gone. EPERM: it changed its user and is not ours to signal, but it is alive.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
