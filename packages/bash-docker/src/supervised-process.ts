import type { Readable } from 'node:stream'
import type { BashCause } from 'dsh-bash'
import {
  bashArguments,
  type CapturedSink,
  type HostedProcess,
  type Inheritance,
  type ProcessExit,
  type ProcessSinks,
  type ProcessSpec,
  type SpawnFacts,
  type TreeSignal,
} from 'dsh-bash-process'
import type { CommandExit, ContainerUser, SupervisedCommand } from 'dsh-container'
import { enterUnlessCancelled } from './enter-session.ts'
import { composeEnvironment } from './environment.ts'
import type { SupervisedSession } from './supervised-session.ts'

/** The kernel's numbers; 0 only counts. */
const signalNumbers: Readonly<Record<TreeSignal, number>> = { SIGTERM: 15, SIGKILL: 9, probe: 0 }

const commandUmask = 0o022

/** The kernel's number of `RLIMIT_NOFILE`. */
const openFilesResource = 7

/** What the executor decides for one command. */
export interface SupervisedTerms {
  inherit: Inheritance
  /** For commands that carry a trusted caller's variables or input. */
  trustedUser: ContainerUser | undefined
}

/** One command that the supervisor of its session's container runs. */
export class SupervisedProcess implements HostedProcess {
  readonly spawned: Promise<SpawnFacts>
  readonly exited: Promise<ProcessExit>
  readonly drained: Promise<void>
  private running: { session: SupervisedSession; command: SupervisedCommand } | undefined
  private letGo: () => void = nothing

  constructor(
    spec: ProcessSpec,
    sinks: ProcessSinks,
    cancel: AbortSignal,
    enterSession: () => Promise<SupervisedSession>,
    terms: SupervisedTerms,
  ) {
    const running = enterUnlessCancelled(enterSession(), cancel).then((session) => {
      const command = spawn(session, spec, sinks, terms)
      // What survives the command keeps its session from being idle; what holds its output keeps this
      // process alive, until nobody wants that output any more.
      void command.gone.then(() => session.leave())
      session.container.hold()
      this.letGo = once(() => session.container.letGo())
      command.drained.then(this.letGo, this.letGo)
      if (spec.stdin !== undefined) feed(command, spec.stdin)
      this.running = { session, command }
      return this.running
    })
    this.spawned = running.then(async ({ session, command }) => {
      const { pid } = await command.started
      return { pid, sandbox: session.facts }
    })
    this.exited = running.then(async ({ session, command }) => toProcessExit(await command.exited, session))
    this.drained = running.then(({ command }) => command.drained).then(nothing, nothing)
    this.spawned.catch(nothing) // the command's outcome carries it
    this.exited.catch(nothing)
  }

  async signalTree(signal: TreeSignal): Promise<number> {
    const { running } = this
    if (running === undefined) return 0
    const { command, session } = running
    return (await session.holding(() => command.signalTree(signalNumbers[signal]))).remaining
  }

  release(): void {
    this.running?.command.release()
    this.letGo()
  }
}

function nothing(): void {}

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) action()
    isDone = true
  }
}

function spawn(
  session: SupervisedSession,
  spec: ProcessSpec,
  sinks: ProcessSinks,
  terms: SupervisedTerms,
): SupervisedCommand {
  try {
    return session.supervisor.spawn(commandSpec(spec, session, terms), remembering(sinks, session))
  } catch (error) {
    session.leave()
    throw error
  }
}

function commandSpec(spec: ProcessSpec, session: SupervisedSession, terms: SupervisedTerms) {
  const isTrusted = spec.env !== undefined || spec.stdin !== undefined
  const user = (isTrusted ? terms.trustedUser : undefined) ?? session.user
  return {
    argv: bashArguments(spec.command),
    workdir: spec.workdir,
    env: { ...session.baseEnvironment, ...composeEnvironment(process.env, terms.inherit, spec.env) },
    uid: user.uid,
    gid: user.gid,
    umask: commandUmask,
    hasStdin: spec.stdin !== undefined,
    maxOutputBytes: spec.capture.maxOutputBytes,
    maxSpillBytes: spec.capture.maxSpillBytes,
    isLossless: spec.capture.isWhole,
    resourceLimits: openFilesLimit(session.limits.openFiles),
  }
}

/** Of the command alone: the supervisor holds files for all commands. */
function openFilesLimit(openFiles: number | undefined): { resource: number; soft: bigint; hard: bigint }[] {
  if (openFiles === undefined) return []
  return [{ resource: openFilesResource, soft: BigInt(openFiles), hard: BigInt(openFiles) }]
}

/** The session knows the paths that were reported, so that the host may read them. */
function remembering(sinks: ProcessSinks, session: SupervisedSession): ProcessSinks {
  const remember = (sink: CapturedSink): CapturedSink => ({
    write: (chunk) => sink.write(chunk),
    skip: (byteCount) => sink.skip(byteCount),
    spilled: (path) => {
      if (path !== undefined) session.rememberSpill(path)
      sink.spilled(path)
    },
  })
  return { stdout: remember(sinks.stdout), stderr: remember(sinks.stderr) }
}

function feed(command: SupervisedCommand, stdin: string | Readable): void {
  if (typeof stdin === 'string') {
    void command.stdin.write(Buffer.from(stdin))
    command.stdin.end()
    return
  }
  stdin.on('data', (chunk: Uint8Array) => {
    stdin.pause()
    void command.stdin.write(chunk).then(() => stdin.resume())
  })
  const end = (): void => command.stdin.end()
  stdin.once('end', end)
  stdin.once('error', end)
  const destroy = (): unknown => stdin.destroy()
  command.exited.then(destroy, destroy)
}

function toProcessExit(exit: CommandExit, session: SupervisedSession): ProcessExit {
  const cause = causeOf(exit, session)
  return {
    exitCode: exit.exitCode,
    signal: exit.signal as NodeJS.Signals | null,
    coreDumped: exit.coreDumped,
    hasSurvivors: exit.hasSurvivors,
    usage: {
      wallMs: exit.wallMs,
      userCpuMs: exit.userCpuMs,
      systemCpuMs: exit.systemCpuMs,
      maxRssBytes: exit.maxRssBytes,
    },
    ...(cause === undefined ? {} : { cause }),
  }
}

/** Which limit of its session ended a command or stood in its way, where one did. */
function causeOf(exit: CommandExit, session: SupervisedSession): BashCause | undefined {
  const { memoryBytes, pidsLimit } = session.limits
  if (exit.oomKills > 0) {
    return {
      kind: 'out-of-memory',
      message: `the session ran out of its ${memoryBytes} bytes of memory, and the kernel killed a process`,
      limit: { name: 'memoryBytes', value: memoryBytes },
    }
  }
  if (exit.pidsDenied > 0) {
    return {
      kind: 'pids-limit',
      message: `the session was at its limit of ${pidsLimit} processes and threads`,
      limit: { name: 'pidsLimit', value: pidsLimit },
    }
  }
  const fullDisk = exit.fullDisk === undefined ? undefined : session.watched[exit.fullDisk]
  if (fullDisk === undefined) return undefined
  return {
    kind: 'disk-full',
    message: `${fullDisk.path} is full`,
    limit: { name: fullDisk.limitName, value: fullDisk.sizeBytes },
  }
}
