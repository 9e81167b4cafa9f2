import { isSandboxError } from 'dsh-bash-error'
import {
  bashArguments,
  commandMarkerName,
  type HostedProcess,
  type Inheritance,
  type ProcessExit,
  type ProcessSinks,
  type ProcessSpec,
  type SpawnFacts,
  type SpillFile,
  type TreeSignal,
} from 'dsh-bash-process'
import type { ContainerExec } from 'dsh-container'
import { enterUnlessCancelled } from './enter-session.ts'
import { composeEnvironment } from './environment.ts'
import { ExecTree } from './exec-tree.ts'
import { explainStartFailure } from './start-failure.ts'
import type { ExecSession } from './exec-session.ts'

/** Exit status that the engine reports for a process that a signal ended: 128 plus its number. */
const signalExitCodes: ReadonlyMap<number, NodeJS.Signals> = new Map([
  [143, 'SIGTERM'],
  [137, 'SIGKILL'],
])

/**
 * One command over one Docker exec. The engine's exec has no signals, tells a death by signal only
 * as a number, and holds the end back while a survivor has the output: the `exec` transport's
 * manifest says so, and the `supervisor` transport is there for those who mind.
 */
export class ExecProcess implements HostedProcess {
  readonly spawned: Promise<SpawnFacts>
  readonly exited: Promise<ProcessExit>
  readonly drained: Promise<void>
  private live: LiveExec | undefined

  constructor(
    spec: ProcessSpec,
    sinks: ProcessSinks,
    cancel: AbortSignal,
    enterSession: () => Promise<ExecSession>,
    terms: ExecTerms,
  ) {
    const started = enterUnlessCancelled(enterSession(), cancel).then(async (session) => {
      try {
        this.live = await startExec(session, spec, sinks, terms)
        return this.live
      } catch (error) {
        session.leave()
        throw error
      }
    })
    this.spawned = started.then((live) => ({ sandbox: live.session.facts }))
    this.exited = started.then((live) => awaitExit(live, spec.workdir).finally(() => live.session.leave()))
    // The engine ends the stream after the exit, and cuts off what survivors still hold.
    this.drained = this.exited.then(
      () => undefined,
      () => undefined,
    )
    this.spawned.catch(() => undefined) // the command's outcome carries it
  }

  async signalTree(signal: TreeSignal): Promise<number> {
    return (await this.live?.tree.signal(signal)) ?? 0
  }

  openSpill(stream: 'stdout' | 'stderr'): SpillFile {
    if (this.live === undefined) throw new Error('the command has not been started')
    return this.live.session.openSpill(stream)
  }

  release(): void {
    this.live?.exec.disconnect()
  }
}

/** What the executor decides for one command. */
export interface ExecTerms {
  inherit: Inheritance
  /** Value of the command's marker variable. */
  marker: string
}

interface LiveExec {
  session: ExecSession
  exec: ContainerExec
  tree: ExecTree
}

async function startExec(
  session: ExecSession,
  spec: ProcessSpec,
  sinks: ProcessSinks,
  { inherit, marker }: ExecTerms,
): Promise<LiveExec> {
  const exec = session.container.exec({
    argv: bashArguments(spec.command),
    workdir: spec.workdir,
    env: { ...composeEnvironment(process.env, inherit, spec.env), [commandMarkerName]: marker },
    user: session.user,
    ...(spec.stdin === undefined ? {} : { stdin: spec.stdin }),
    stdout: (chunk) => sinks.stdout.write(chunk),
    stderr: (chunk) => sinks.stderr.write(chunk),
  })
  await exec.started
  return { session, exec, tree: new ExecTree(session, `${commandMarkerName}=${marker}`, exec.exited) }
}

async function awaitExit({ session, exec, tree }: LiveExec, workdir: string): Promise<ProcessExit> {
  try {
    const { exitCode } = await exec.exited
    const signal = signalExitCodes.get(exitCode)
    // 128+n is also an exit code that a command may choose: a signal is claimed only when we sent it.
    return signal !== undefined && tree.hasSent(signal) ? { exitCode: null, signal } : { exitCode, signal: null }
  } catch (error) {
    if (tree.endedSession) return { exitCode: null, signal: 'SIGKILL' }
    if (!isSandboxError(error) || error.code !== 'SPAWN_FAILED') throw error
    throw await explainStartFailure(session, workdir, error)
  }
}
