import type { Finding } from '../probe-result.ts'
import { readFirst } from './run-bash.ts'
import type { SessionProbe } from './session-probe.ts'

/** The kernel's own account of a command, by field (proc_pid_status(5)). */
export type ProcessStatus = ReadonlyMap<string, string>

/** Without even the right to get one back: a bounding set limits what a set-user-id program could give. */
export function judgeCapabilities(status: ProcessStatus): Finding {
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']
  const reported = sets.flatMap((name) => {
    const value = status.get(name)
    return value === undefined ? [] : [{ name, value }]
  })
  if (reported.length === 0) return notTold('capabilities')
  const held = reported.filter(({ value }) => !/^0+$/.test(value))
  if (held.length === 0) return { status: 'ok', detail: 'a command has no capability' }
  return {
    status: 'failed',
    detail: `a command has capabilities: ${held.map(({ name, value }) => `${name} ${value}`).join(', ')}`,
  }
}

export function judgeNoNewPrivileges(status: ProcessStatus): Finding {
  const value = status.get('NoNewPrivs')
  if (value === undefined) return notTold('no_new_privs')
  if (value === '1') return { status: 'ok', detail: 'a command can gain no privilege by running a program' }
  return { status: 'failed', detail: 'no_new_privs is off: a command can gain privileges by running a program' }
}

/** Mode 2 is a filter; the engine's account of itself may be of its default only. */
export function judgeSeccompMode(status: ProcessStatus): Finding {
  const value = status.get('Seccomp')
  if (value === undefined) return notTold('seccomp')
  if (value === '2') return { status: 'ok', detail: 'the system calls of a command are filtered' }
  return { status: 'failed', detail: `the system calls of a command are not filtered (mode ${value})` }
}

export function parseProcessStatus(text: string): ProcessStatus {
  return new Map(
    text.split('\n').map((line) => {
      const [name = '', value = ''] = line.split(':\t')
      return [name, value.trim()]
    }),
  )
}

/** What each holds of a command, by the kernel. */
export const processStatusProbes: readonly SessionProbe[] = [
  { name: 'command-capabilities', judge: judgeCapabilities },
  { name: 'command-no-new-privileges', judge: judgeNoNewPrivileges },
  { name: 'command-seccomp', judge: judgeSeccompMode },
].map(({ name, judge }) => ({
  name,
  run: async (container) => judge(parseProcessStatus((await readFirst(container, ['/proc/self/status'])) ?? '')),
}))

function notTold(what: string): Finding {
  return { status: 'unknown', detail: `the kernel of the container does not tell about ${what}` }
}
