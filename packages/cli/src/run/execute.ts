import type { BashRunResult } from 'dsh-bash'
import { type HostedProcess, type ProcessSpec, RunningCommand, toRunResult } from 'dsh-bash-process'
import { catchInterrupts } from '../interrupts.ts'
import { warn } from '../output/report-error.ts'
import type { CallerStreams } from './caller-streams.ts'
import type { RunWatch } from './run-watch.ts'
import type { World } from './world.ts'

/**
 * Runs one command to its end, and then ends its world, however that came.
 *
 * @throws a `SandboxError` when the command could not be run, or its end could not be learnt
 */
export async function execute(
  { host, config }: World,
  spec: ProcessSpec,
  streams: CallerStreams,
  stop: AbortController,
  watch: RunWatch,
): Promise<BashRunResult> {
  let hosted: HostedProcess | undefined
  const releaseInterrupts = catchInterrupts(
    (reason) => stop.abort(reason),
    () => void hosted?.signalTree('SIGKILL'),
  )
  try {
    const running = new RunningCommand(
      (captured, cancel) => {
        hosted = host.spawn(spec, streams.sinks ?? captured, cancel)
        follow(hosted, streams, watch)
        return hosted
      },
      config,
      { signal: stop.signal, timeoutMs: config.timeoutMs, keepsLateOutput: false },
    )
    return toRunResult(running, await running.outcome, config.timeoutMs)
  } finally {
    watch.commandEnded()
    // What became of the command does not depend on what is left of its world.
    await Promise.all([host.dispose().catch(warn), streams.close(config.graceMs)])
    releaseInterrupts()
  }
}

function follow(hosted: HostedProcess, streams: CallerStreams, watch: RunWatch): void {
  hosted.spawned
    .then(() => {
      watch.commandBegan()
      return hosted.exited
    })
    .then(() => streams.commandEnded())
    .catch(() => undefined) // the outcome has it
}
