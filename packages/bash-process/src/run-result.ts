import type { BashRunResult } from 'dsh-bash'
import type { CommandOutcome, RunningCommand } from './running-command.ts'

/** What the seam reports of a command that has ended. */
export function toRunResult(command: RunningCommand, outcome: CommandOutcome, timeoutMs: number): BashRunResult {
  const { exit, spawn } = outcome
  return {
    exitCode: exit.exitCode,
    signal: exit.signal,
    timedOut: outcome.cause === 'timeout',
    aborted: outcome.cause === 'abort',
    timeoutMs,
    stdout: command.stdout.collect(),
    stderr: command.stderr.collect(),
    ...(outcome.outputHeld ? { outputHeld: true } : {}),
    ...(exit.coreDumped === true ? { coreDumped: true } : {}),
    ...(outcome.receipt === undefined ? {} : { receipt: outcome.receipt }),
    ...(exit.usage === undefined ? {} : { usage: exit.usage }),
    ...(exit.cause === undefined ? {} : { cause: exit.cause }),
    ...(spawn.sandbox === undefined ? {} : { sandbox: spawn.sandbox }),
  }
}
