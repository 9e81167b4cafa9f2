import type { BashRunResult, BashTask } from 'dsh-bash'
import type { CommandOutcome, RunningCommand } from './running-command.ts'

type OptionalFacts = Pick<BashRunResult & BashTask, 'coreDumped' | 'receipt' | 'usage' | 'cause' | 'sandbox'>

/** What the seam reports of a command that has ended. */
export function toRunResult(command: RunningCommand, outcome: CommandOutcome, timeoutMs: number): BashRunResult {
  const { exit } = outcome
  return {
    exitCode: exit.exitCode,
    signal: exit.signal,
    timedOut: outcome.cause === 'timeout',
    aborted: outcome.cause === 'abort',
    timeoutMs,
    stdout: command.stdout.collect(),
    stderr: command.stderr.collect(),
    ...(outcome.outputHeld ? { outputHeld: true } : {}),
    ...optionalFacts(outcome),
  }
}

/** What the seam reports of a command or a task only where there is something to report. */
export function optionalFacts({ exit, spawn, receipt }: CommandOutcome): OptionalFacts {
  return {
    ...(exit.coreDumped === true ? { coreDumped: true } : {}),
    ...(receipt === undefined ? {} : { receipt }),
    ...(exit.usage === undefined ? {} : { usage: exit.usage }),
    ...(exit.cause === undefined ? {} : { cause: exit.cause }),
    ...(spawn.sandbox === undefined ? {} : { sandbox: spawn.sandbox }),
  }
}
