import type { BashRunResult, BashTask, BashTaskRead, CollectedOutput } from 'dsh-bash'
import { z } from 'zod'

// The canonical results of the tools: what the seam reports, as JSON. Exactly one branch of a
// union must match (`xor`, not `union`): the harness takes `oneOf` and refuses `anyOf`.
const exitFields = {
  exitCode: z.xor([z.number(), z.null()]),
  signal: z.xor([z.string(), z.null()]),
}

const stream = z.strictObject({ text: z.string(), truncated: z.boolean(), spillPath: z.string().exactOptional() })

const foregroundValue = z.strictObject({
  kind: z.literal('foreground'),
  ...exitFields,
  timedOut: z.boolean(),
  timeoutMs: z.number(),
  stdout: stream,
  stderr: stream,
})

const backgroundValue = z.strictObject({ kind: z.literal('background'), taskId: z.string() })

export const bashValue = z.discriminatedUnion('kind', [foregroundValue, backgroundValue])

const task = z.strictObject({
  id: z.string(),
  status: z.enum(['running', 'completed', 'killed']),
  ...exitFields,
})

export const bashOutputValue = z.strictObject({
  delta: z.string(),
  lossy: z.boolean(),
  spillPaths: z.array(z.string()),
  task,
})

export const bashKillValue = z.strictObject({ wasRunning: z.boolean(), task })

export type ForegroundValue = z.output<typeof foregroundValue>
export type BashValue = z.output<typeof bashValue>
export type BashOutputValue = z.output<typeof bashOutputValue>
export type BashKillValue = z.output<typeof bashKillValue>
export type StreamValue = z.output<typeof stream>
export type TaskValue = z.output<typeof task>

export function toForegroundValue(result: BashRunResult): ForegroundValue {
  const { exitCode, signal, timedOut, timeoutMs } = result
  return {
    kind: 'foreground',
    exitCode,
    signal,
    timedOut,
    timeoutMs,
    stdout: toStreamValue(result.stdout),
    stderr: toStreamValue(result.stderr),
  }
}

export function toBashOutputValue(read: BashTaskRead): BashOutputValue {
  return {
    delta: read.delta,
    lossy: read.lossy,
    spillPaths: [read.stdoutSpillPath, read.stderrSpillPath].filter((path) => path !== undefined),
    task: toTaskValue(read.task),
  }
}

export function toTaskValue({ id, status, exitCode, signal }: BashTask): TaskValue {
  return { id, status, exitCode, signal }
}

function toStreamValue({ text, truncated, spillPath }: CollectedOutput): StreamValue {
  return { text, truncated, ...(spillPath === undefined ? {} : { spillPath }) }
}
