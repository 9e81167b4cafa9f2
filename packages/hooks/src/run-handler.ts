import { type BashExecRequest, type BashExecutor, OwnerToken } from 'dsh-bash'
import { isSandboxError, messageOf } from 'dsh-bash-error'
import { commandText, type HookFolders } from './command-text.ts'
import type { HookEvent } from './event.ts'
import type { HookHandler } from './handler.ts'
import { type HookRun, interpretRun } from './hook-run.ts'
import { payloadOf } from './payload.ts'
import { runProblem } from './problem.ts'
import { wholeOutput } from './whole-output.ts'

/** The part of the seam that hooks are run through. */
export type HookExecutor = Pick<BashExecutor, 'resolve' | 'run' | 'readSpill'>

/** What is the same for every hook of one configuration. */
export interface RunTerms {
  readonly bash: HookExecutor
  /** `CLAUDE_PROJECT_DIR`. */
  readonly projectDirectory: string
  /** The deployment's own variables, for every hook. */
  readonly env: Readonly<Record<string, string>>
  readonly defaultTimeoutMs: number
  /** Bytes of one stream that are read; a longer one is reported. */
  readonly maxOutputBytes: number
}

/** Runs one hook. Never rejects: what keeps it from running is a problem of that run, and blocks nothing. */
export async function runHandler(
  handler: HookHandler,
  event: HookEvent,
  terms: RunTerms,
  signal: AbortSignal | undefined,
): Promise<HookRun> {
  const { bash, maxOutputBytes } = terms
  try {
    const result = await bash.run(bash.resolve(hookRequest(handler, event, terms, signal)))
    const [stdout, stderr] = await Promise.all([
      wholeOutput(bash, result.stdout, maxOutputBytes),
      wholeOutput(bash, result.stderr, maxOutputBytes),
    ])
    return interpretRun(handler, event, result, { stdout, stderr })
  } catch (error) {
    if (isSandboxError(error) && error.code === 'ABORTED_BEFORE_SPAWN')
      return { handler, status: 'aborted', decision: {} }
    const problem = runProblem('HOOK_NOT_RUN', handler, `it could not be run: ${messageOf(error)}`, {}, error)
    return { handler, status: 'failed', decision: {}, problem }
  }
}

/**
 * A trusted request: the event is on standard input alone, the variables come from the configuration
 * alone (docs/decisions/0001-trusted-plugin-surface.md).
 */
function hookRequest(
  handler: HookHandler,
  event: HookEvent,
  terms: RunTerms,
  signal: AbortSignal | undefined,
): BashExecRequest {
  const { dialect } = handler.source
  const folders = hookFolders(handler, terms)
  const env = { ...folders, ...terms.env }
  return {
    command: commandText(handler, folders),
    workdir: event.cwd,
    timeoutMs: handler.timeoutMs ?? terms.defaultTimeoutMs,
    stdin: payloadOf(dialect, event),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(event.sessionId === undefined ? {} : { owner: OwnerToken(event.sessionId) }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** Codex gives its hooks no variables. */
function hookFolders({ source }: HookHandler, { projectDirectory }: RunTerms): HookFolders {
  if (source.dialect === 'codex') return {}
  return {
    CLAUDE_PROJECT_DIR: projectDirectory,
    ...(source.pluginRoot === undefined ? {} : { CLAUDE_PLUGIN_ROOT: source.pluginRoot }),
  }
}
