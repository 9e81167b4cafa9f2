import { exitMarker } from './exit-marker.ts'
import type { BashKillValue, BashOutputValue, BashValue, ForegroundValue, StreamValue, TaskValue } from './values.ts'

/** The text of a `bash` call. */
export function renderBash(value: BashValue): string {
  return value.kind === 'background' ? `started background task ${value.taskId}` : renderForeground(value)
}

/** The text of a `bash_output` call. */
export function renderBashOutput({ delta, lossy, spillPaths, task }: BashOutputValue): string {
  const spill = spillPaths.length === 0 ? '(unavailable)' : spillPaths.join(', ')
  return lines([
    delta === '' && !lossy ? '(no new output)' : delta,
    lossy ? `[some output was dropped from memory; full output: ${spill}]` : '',
    taskStatus(task),
  ])
}

/** The text of a `bash_kill` call. */
export function renderBashKill({ wasRunning, task }: BashKillValue): string {
  return wasRunning
    ? `killed background task ${task.id}`
    : `background task ${task.id} had already ended ${taskStatus(task)}`
}

/** How a task stands, as one marker. */
export function taskStatus({ status, exitCode, signal }: TaskValue): string {
  if (status === 'killed' && signal !== null) return `[status: killed by ${signal}]`
  if (signal !== null) return `[status: ${status}, signal: ${signal}]`
  if (exitCode !== null) return `[status: ${status}, exit code: ${exitCode}]`
  return `[status: ${status}]`
}

function renderForeground(value: ForegroundValue): string {
  const stderr = renderStream(value.stderr)
  const output = lines([renderStream(value.stdout), stderr === '' ? '' : `[stderr]\n${stderr}`])
  return lines([
    output === '' ? '(no output)' : output,
    value.timedOut ? `[timed out after ${value.timeoutMs}ms]` : '',
    exitMarker(value),
  ])
}

function renderStream({ text, truncated, spillPath }: StreamValue): string {
  return truncated ? lines([text, `[output truncated; full output: ${spillPath ?? '(unavailable)'}]`]) : text
}

/** Each non-empty part on lines of its own; a newline is added between two only when missing. */
function lines(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .reduce((text, part) => (text === '' || text.endsWith('\n') ? text + part : `${text}\n${part}`), '')
}
