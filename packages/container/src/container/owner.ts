import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names of the labels that every object on the engine carries. */
export const labelNames = {
  managed: 'bash-docker.managed',
  session: 'bash-docker.session',
  ownerPid: 'bash-docker.owner-pid',
  ownerStart: 'bash-docker.owner-start',
  ownerHost: 'bash-docker.owner-host',
  /** Of a session's container: the folder of the host that it sees. */
  workspace: 'bash-docker.workspace',
  /** Of a volume that holds a program and nobody's data: every session shares it, and nobody owns it. */
  supervisor: 'bash-docker.supervisor',
} as const

/**
 * The process that owns an object: its pid, when it started, and the place where that pid means
 * something. Together they name one process for good, whatever pids are used again.
 */
export interface Owner {
  readonly pid: number
  /** Clock ticks after boot (`/proc/<pid>/stat`, field 22); the empty string where there is no `/proc`. */
  readonly start: string
  /** Boot and pid namespace on Linux, else the host's name. */
  readonly host: string
}

/** This process. */
export function thisOwner(): Owner {
  return { pid: process.pid, start: readProcess(process.pid)?.start ?? '', host: ownerHost() }
}

/** The labels that say whose an object is. */
export function ownerLabels(owner: Owner): Record<string, string> {
  return {
    [labelNames.managed]: 'true',
    [labelNames.ownerPid]: String(owner.pid),
    [labelNames.ownerStart]: owner.start,
    [labelNames.ownerHost]: owner.host,
  }
}

/** `unknown` for an owner in another place, whom nobody here can judge. */
export type OwnerState = 'alive' | 'dead' | 'unknown'

/** Whether the process that the labels name still lives. */
export function ownerState(labels: Readonly<Record<string, string>>): OwnerState {
  const pid = Number(labels[labelNames.ownerPid])
  if (!Number.isInteger(pid) || pid <= 0 || labels[labelNames.ownerHost] !== ownerHost()) return 'unknown'
  if (!exists(pid)) return 'dead'
  const found = readProcess(pid)
  if (found === undefined) return 'alive' // it is there and hidden from us, or there is no `/proc`
  if (found.hasEnded) return 'dead'
  const start = labels[labelNames.ownerStart]
  return start === undefined || start === '' || start === found.start ? 'alive' : 'dead'
}

function ownerHost(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname() // no Linux
  }
}

/** Undefined for no such process, for one that is hidden from us, and where there is no `/proc`. */
function readProcess(pid: number): { hasEnded: boolean; start: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // Fields 3 and 22; the second field is the name in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie keeps its pid until its parent asks how it ended.
    return { hasEnded: fields[0] === 'Z' || fields[0] === 'X', start: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
