import { z } from 'zod'
import type { BashArguments } from './arguments.ts'
import { type ExitFacts, splitExit, splitKnownExit } from './exit-marker.ts'
import type { CallView, ResultView, ToolOutcome } from './views.ts'

const exitFacts: z.ZodType<ExitFacts> = z.object({ exitCode: z.number().nullable(), signal: z.string().nullable() })

/** A foreground run is a terminal; a background start only gives an id. */
export function presentBashCall({ command, description, workdir, run_in_background }: BashArguments): CallView {
  if (run_in_background === true) {
    const content = [{ type: 'text' as const, text: description }]
    return { card: 'generic', title: command, kind: 'execute', rawInput: command, content }
  }
  return { card: 'terminal', title: command, description, ...(workdir === undefined ? {} : { cwd: workdir }) }
}

/** An error and a background start have no exit to show. */
export function presentBashResult({ run_in_background }: BashArguments, outcome: ToolOutcome): ResultView {
  if (outcome.isError || run_in_background === true) {
    return { card: 'generic', content: [{ type: 'text', text: fenced(outcome.text) }] }
  }
  const known = exitFacts.safeParse(outcome.facts)
  const { body, exit } = known.success ? splitKnownExit(outcome.text, known.data) : splitExit(outcome.text)
  return {
    card: 'terminal',
    output: body,
    ...(exit.exitCode === null ? {} : { exitCode: exit.exitCode }),
    ...(exit.signal === null ? {} : { signal: exit.signal }),
  }
}

/** The fence is longer than every run of backticks in the text, so that nothing inside closes it. */
function fenced(text: string): string {
  const longestRun = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  return `${fence}console\n${text.replace(/\n+$/, '')}\n${fence}`
}
