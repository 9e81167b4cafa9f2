import { messageOf, type SandboxError } from 'dsh-bash-error'
import { claudeCodeHooks } from './claude-code.ts'
import { codexHooks } from './codex.ts'
import { commandText } from './command-text.ts'
import { type HooksConfig, resolveHooksConfig } from './config.ts'
import { type HookEvent, type HookEventName, matchedNames } from './event.ts'
import type { HookHandler } from './handler.ts'
import type { HookRun } from './hook-run.ts'
import { parseMatcher } from './matcher.ts'
import { combineRuns, type HookOutcome } from './outcome.ts'
import type { ReportProblem } from './problem.ts'
import { type HookExecutor, runHandler, type RunTerms } from './run-handler.ts'
import { ruleAdmits } from './tool-rule.ts'

/** What {@link createHooks} wants besides the configuration. */
export interface HooksOptions extends HooksConfig {
  /** Where the hooks run. */
  readonly bash: HookExecutor
  /** Told of everything that kept a hook from its work, files included. Default: standard error. */
  readonly report?: ReportProblem
}

/** The hooks of one configuration, as its files were when they were read. */
export class Hooks {
  readonly handlers: readonly HookHandler[]
  /** What could not be used of the files. */
  readonly problems: readonly SandboxError[]
  private readonly terms: RunTerms
  private readonly report: ReportProblem
  private readonly background = new Set<Promise<HookRun>>()

  constructor(
    handlers: readonly HookHandler[],
    problems: readonly SandboxError[],
    terms: RunTerms,
    report: ReportProblem,
  ) {
    this.handlers = handlers
    this.problems = problems
    this.terms = terms
    this.report = report
  }

  /** Whether any hook may want to know of such events. */
  has(name: HookEventName): boolean {
    return this.handlers.some(({ event }) => event === name)
  }

  /**
   * Fires an event: runs every hook that it concerns, all at once, and puts their decisions together.
   * Never rejects. A hook that cannot run, or fails, is reported and blocks nothing.
   *
   * @param signal ends the hooks that are waited for
   */
  async run(event: HookEvent, { signal }: { readonly signal?: AbortSignal } = {}): Promise<HookOutcome> {
    const ended: HookRun[] = []
    const runs = await Promise.all(
      this.concerned(event).map(async (handler) => {
        const run = handler.isAsync
          ? this.runInBackground(handler, event)
          : await this.runReported(handler, event, signal)
        ended.push(run)
        return run
      }),
    )
    return combineRuns(runs, ended)
  }

  /** Resolves when no hook runs any more that nobody waited for. */
  async settled(): Promise<void> {
    while (this.background.size > 0) await Promise.all(this.background)
  }

  private async runReported(handler: HookHandler, event: HookEvent, signal?: AbortSignal): Promise<HookRun> {
    const run = await runHandler(handler, event, this.terms, signal)
    if (run.problem !== undefined) reportSafely(this.report, run.problem)
    return run
  }

  private runInBackground(handler: HookHandler, event: HookEvent): HookRun {
    const running = this.runReported(handler, event)
    this.background.add(running)
    void running.then(() => this.background.delete(running))
    return { handler, status: 'background', decision: {} }
  }

  private concerned(event: HookEvent): HookHandler[] {
    const matching = this.handlers.filter((handler) => {
      if (handler.event !== event.event) return false
      const names = matchedNames(event, handler.source.dialect)
      if (names === undefined) return true
      if (!parseMatcher(handler.matcher, handler.source.dialect)(names)) return false
      return handler.rule === undefined || !('toolInput' in event) || ruleAdmits(handler.rule, names, event.toolInput)
    })
    return withoutDuplicates(matching)
  }
}

/**
 * Reads the hook files of a configuration, once. A file that is wrong is reported, with its path, and
 * costs nothing but what is wrong in it.
 *
 * @throws `CONFIG_INVALID` for the options themselves
 */
export async function createHooks({ bash, report = reportToStandardError, ...input }: HooksOptions): Promise<Hooks> {
  const config = resolveHooksConfig(input)
  const tables = [...(await claudeCodeHooks(config)), ...(await codexHooks(config))]
  const problems = tables.flatMap((table) => table.problems)
  for (const problem of problems) reportSafely(report, problem)
  const handlers = tables.flatMap((table) => table.handlers)
  return new Hooks(handlers, problems, { ...config, bash }, report)
}

/** Claude Code runs the same command once, from however many files it comes. Codex runs each. */
function withoutDuplicates(handlers: readonly HookHandler[]): HookHandler[] {
  const seen = new Set<string>()
  return handlers.filter((handler) => {
    const { dialect, pluginRoot } = handler.source
    if (dialect !== 'claude-code') return true
    const key = JSON.stringify([commandText(handler, {}), pluginRoot])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function reportToStandardError(problem: SandboxError): void {
  console.error(`hooks: ${problem.code}: ${problem.message}`)
}

function reportSafely(report: ReportProblem, problem: SandboxError): void {
  try {
    report(problem)
  } catch (error) {
    console.error(`hooks: the report threw: ${messageOf(error)}`, problem)
  }
}
