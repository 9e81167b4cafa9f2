import { durationMs, sizeBytes, timeoutMs } from '../arguments/values.ts'
import type { RunValues } from './run-options.ts'

/** The fields of the configuration that every executor has, as far as options set them. */
export function executorSettings(values: RunValues) {
  const timeout = timeoutMs('timeout', values.timeout)
  return {
    cwd: values.workdir,
    timeoutMs: timeout,
    // The cap is for what a model asks for; whoever types a timeout means it.
    maxTimeoutMs: timeout,
    graceMs: durationMs('grace', values.grace),
    maxOutputBytes: sizeBytes('max-output', values['max-output']),
    maxSpillBytes: sizeBytes('max-spill', values['max-spill']),
  }
}
