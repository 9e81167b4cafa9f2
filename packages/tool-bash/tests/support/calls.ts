import type { ToolCall } from '../../src/index.ts'

/** A call by the agent of this session. */
export function callBy(sessionId: string, cwd?: string): ToolCall {
  return { caller: { sessionId, ...(cwd === undefined ? {} : { cwd }) } }
}

/** A call by nobody in particular. */
export const anonymous: ToolCall = {}

/** The least that `bash` takes. */
export function running(command: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { command, description: 'Run it for the test', ...more }
}

/** The same, in the background. */
export function inBackground(command: string): Record<string, unknown> {
  return running(command, { run_in_background: true })
}
