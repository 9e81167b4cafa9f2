import { validateSpec } from 'dsh-bash-process'
import { resultStatus, signalStatus } from '../exit-status.ts'
import { Interrupted } from '../interrupts.ts'
import { Progress } from '../output/progress.ts'
import { errorReport } from '../output/report-error.ts'
import { writeJson } from '../output/write-text.ts'
import { CallerStreams } from './caller-streams.ts'
import { commandOf } from './command-words.ts'
import { currentDirectory } from './current-directory.ts'
import { execute } from './execute.ts'
import type { RunValues } from './run-options.ts'
import { runReport } from './run-report.ts'
import { RunWatch } from './run-watch.ts'
import { Timings } from './timings.ts'
import { readVariables } from './variables.ts'
import type { World } from './world.ts'

/**
 * `bash-docker run`: one command in a world of its own, of which nothing is left afterwards.
 *
 * @returns the exit status
 * @throws a `SandboxError` when the command could not be run, or the caller's own streams failed
 */
export async function run(values: RunValues, words: readonly string[]): Promise<number> {
  const isJson = values.json === true
  const watch = new RunWatch(new Timings(), new Progress(process.stderr, values.quiet === true))
  const world = await openWorld(values, watch)
  const { workdir } = world
  const command = commandOf(words)
  const env = readVariables(values.env ?? [], process.env)
  validateSpec({ command, workdir, env, timeoutMs: world.config.timeoutMs, owner: undefined })
  const stop = new AbortController()
  const streams = await CallerStreams.open(stop, { stdinSource: values.stdin, handsOutputOn: !isJson })
  const { maxOutputBytes, maxSpillBytes } = world.config
  const capture = { maxOutputBytes, maxSpillBytes, isWhole: !isJson }
  const spec = { command, workdir, env, stdin: streams.stdin, owner: undefined, capture }
  try {
    const result = await execute(world, spec, streams, stop, watch)
    if (isJson) await writeJson(runReport(result, watch.session, watch.report()))
    return stoppedStatus(stop.signal) ?? resultStatus(result)
  } catch (error) {
    const status = stoppedStatus(stop.signal)
    if (status === undefined) throw error
    if (isJson) await writeJson(errorReport(error))
    return status
  }
}

/**
 * The exit status of a run that was interrupted.
 *
 * @throws why the caller's streams failed, when they ended it
 */
function stoppedStatus({ aborted, reason }: AbortSignal): number | undefined {
  if (!aborted) return undefined
  if (reason instanceof Interrupted) return signalStatus(reason.signal)
  throw reason
}

/** Nothing but `--local` runs a command on this host. */
async function openWorld(values: RunValues, watch: RunWatch): Promise<World> {
  const callerDir = currentDirectory()
  if (values.local === true) {
    const { openLocalWorld } = await import('./local-world.ts')
    return openLocalWorld(values, callerDir)
  }
  const { openDockerWorld } = await import('./docker-world.ts')
  return openDockerWorld(values, callerDir, (event) => watch.sessionStep(event))
}
