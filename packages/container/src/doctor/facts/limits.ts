import type { EngineFacts, FactProbe } from './fact-probe.ts'

export const cgroupProbe: FactProbe = {
  name: 'cgroup',
  judge: ({ info }) =>
    info.cgroupVersion === undefined
      ? { status: 'unknown', detail: 'the engine does not say which version of cgroups it uses' }
      : { status: 'ok', detail: `cgroup version ${info.cgroupVersion}` },
}

/** What a limit is worth where the engine can enforce none: it would be ignored, and only a log would tell. */
const limits = [
  { name: 'memory', withoutIt: 'failed', detail: "a command can take all of the host's memory" },
  { name: 'swap', withoutIt: 'warning', detail: "beyond its memory limit, a session goes on in the host's swap" },
  { name: 'pids', withoutIt: 'failed', detail: 'a fork bomb is not contained' },
  { name: 'cpus', withoutIt: 'warning', detail: 'a session can keep every processor busy' },
] as const

/** One per limit of a session. */
export const limitProbes: readonly FactProbe[] = limits.map(({ name, withoutIt, detail }) => ({
  name: `limit-${name}`,
  judge: ({ info }: EngineFacts) => {
    const isEnforced = info.limits[name]
    if (isEnforced === undefined)
      return { status: 'unknown', detail: 'the engine does not say whether it can enforce it' }
    if (isEnforced) return { status: 'ok', detail: 'the engine can enforce it' }
    return {
      status: withoutIt,
      detail: `the engine cannot enforce it: ${detail}`,
      hint: 'Enable the controller in the kernel; for a rootless engine, delegate it (cgroup version 2, systemd).',
    }
  },
}))
