import type { Finding } from '../probe-result.ts'
import { readFirst } from './run-bash.ts'
import type { SessionProbe } from './session-probe.ts'

/** Where a container sees its limits, by cgroup version 2 and 1. */
const pidsFiles = ['/sys/fs/cgroup/pids.max', '/sys/fs/cgroup/pids/pids.max']
const memoryFiles = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']

export const pidsLimitProbe: SessionProbe = {
  name: 'session-pids-limit',
  run: async (container, spec) => judgeLimit(await readFirst(container, pidsFiles), spec.pidsLimit, 'processes'),
}

export const memoryLimitProbe: SessionProbe = {
  name: 'session-memory-limit',
  run: async (container, spec) =>
    judgeLimit(await readFirst(container, memoryFiles), spec.memoryBytes, 'bytes of memory'),
}

/** @param text what the kernel says: a number, or `max` for none */
export function judgeLimit(text: string | undefined, asked: number, unit: string): Finding {
  if (text === undefined) return { status: 'unknown', detail: 'the container cannot see its limit' }
  if (Number(text) === asked) return { status: 'ok', detail: `${asked} ${unit}, as asked for` }
  return { status: 'failed', detail: `asked for ${asked} ${unit}, and the limit is ${text.trim()}` }
}
