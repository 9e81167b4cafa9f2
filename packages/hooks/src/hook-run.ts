import type { BashRunResult } from 'dsh-bash'
import type { SandboxError } from 'dsh-bash-error'
import { type HookDecision, readDecision } from './decision.ts'
import type { HookDialect, HookEvent, HookEventName } from './event.ts'
import type { HookHandler } from './handler.ts'
import { runProblem } from './problem.ts'
import type { WholeOutput } from './whole-output.ts'

/** What became of one hook. */
export interface HookRun {
  readonly handler: HookHandler
  /**
   * `blocked`: it objects. `failed`: it did not do its work, which `problem` explains, and decided
   * nothing. `aborted`: by the caller. `background`: nobody waited for it.
   */
  readonly status: 'completed' | 'blocked' | 'failed' | 'aborted' | 'background'
  readonly decision: HookDecision
  /** Its standard output when that was no decision, for a log or a transcript. */
  readonly text?: string
  /** What it did not do, or did badly. */
  readonly problem?: SandboxError
}

/** Both streams of a finished hook. */
export interface HookStreams {
  readonly stdout: WholeOutput
  readonly stderr: WholeOutput
}

const nothing: readonly HookEventName[] = [
  'Notification',
  'SubagentStart',
  'PostCompact',
  'SessionStart',
  'SessionEnd',
  'AgentTurnComplete',
]

/** Events that a hook cannot hold up: there its exit code 2 is an error like any other. */
const unblockable: Readonly<Record<HookDialect, readonly HookEventName[]>> = {
  'claude-code': nothing,
  codex: [...nothing, 'PreCompact'],
}

/** Events on which plain text on standard output is for the model. */
const textIsContext: Readonly<Record<HookDialect, readonly HookEventName[]>> = {
  'claude-code': ['UserPromptSubmit', 'SessionStart'],
  codex: ['UserPromptSubmit', 'SessionStart', 'SubagentStart'],
}

/** What a hook that ran says: by its exit code, and by what it printed. */
export function interpretRun(
  handler: HookHandler,
  event: HookEvent,
  result: BashRunResult,
  streams: HookStreams,
): HookRun {
  const failed = (problem: SandboxError): HookRun => ({ handler, status: 'failed', decision: {}, problem })
  if (result.aborted) return { handler, status: 'aborted', decision: {} }
  if (result.timedOut) {
    return failed(
      runProblem('HOOK_TIMED_OUT', handler, `it ran longer than ${result.timeoutMs} ms and was ended`, {
        timeoutMs: result.timeoutMs,
      }),
    )
  }
  const { exitCode, signal } = result
  if (exitCode === 2 && !unblockable[handler.source.dialect].includes(event.event))
    return blocked(handler, result, streams)
  if (exitCode !== 0) {
    const end = exitCode === null ? `signal ${signal} ended it` : `it exited with ${exitCode}`
    return failed(runProblem('HOOK_FAILED', handler, `${end}${lastWords(result)}`, { exitCode, signal }))
  }
  if (streams.stdout.kind === 'partial') {
    return failed(runProblem('HOOK_OUTPUT_TOO_LARGE', handler, `its output was not read: ${streams.stdout.why}`))
  }
  return said(handler, event, streams.stdout.text)
}

/** Exit code 2: standard error is the reason, and standard output means nothing. */
function blocked(handler: HookHandler, { stderr }: BashRunResult, streams: HookStreams): HookRun {
  const isWhole = streams.stderr.kind === 'whole'
  const reason = (streams.stderr.kind === 'whole' ? streams.stderr.text : stderr.text).trim()
  if (reason === '' && handler.source.dialect === 'codex') {
    const problem = runProblem('HOOK_OUTPUT_INVALID', handler, 'it exited with 2 and gave no reason on stderr')
    return { handler, status: 'failed', decision: {}, problem }
  }
  const decision: HookDecision = {
    ...(permissionEvents.includes(handler.event) ? { permission: 'deny' } : {}),
    blocks: true,
    reason: reason === '' ? `${handler.event} hook blocked it without a reason` : reason,
  }
  if (isWhole) return { handler, status: 'blocked', decision }
  // It objected, and that stands; only the end of its reason is known.
  const problem = runProblem('HOOK_OUTPUT_TOO_LARGE', handler, 'only the end of its reason on stderr is known')
  return { handler, status: 'blocked', decision, problem }
}

const permissionEvents: readonly HookEventName[] = ['PreToolUse', 'PermissionRequest']

/** Exit code 0: an object is a decision, anything else is text. */
function said(handler: HookHandler, event: HookEvent, stdout: string): HookRun {
  const { dialect } = handler.source
  const text = stdout.trim()
  if (text.startsWith('{')) {
    const read = readDecision(text, dialect, event)
    if ('invalid' in read) {
      const problem = runProblem('HOOK_OUTPUT_INVALID', handler, `its decision cannot be used: ${read.invalid}`)
      return { handler, status: 'failed', decision: {}, problem }
    }
    return { handler, status: read.decision.blocks === true ? 'blocked' : 'completed', decision: read.decision }
  }
  if (text === '') return { handler, status: 'completed', decision: {} }
  const decision = textIsContext[dialect].includes(event.event) ? { additionalContext: text } : {}
  return { handler, status: 'completed', decision, text }
}

const lastWordsLength = 500

/** The end of what it said on stderr, for the person who has to mend it. */
function lastWords({ stderr }: BashRunResult): string {
  const text = stderr.text.trim().slice(-lastWordsLength)
  return text === '' ? '' : `: ${text}`
}
