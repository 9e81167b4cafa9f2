import type { Context } from '@deepseek-ai/cordis'
import {
  type SubprocessHandle,
  SubprocessRuntime,
  type SubprocessSpawnSpec,
  type SubprocessTerminalHandle,
  type SubprocessTerminalSpawnSpec,
} from '@deepseek-ai/dsh-subprocess'
import { abortedBeforeSpawn } from 'dsh-bash-process'
import type { DockerWorld, WorldSession } from '../world/index.ts'
import { childEnvironment } from './child-environment.ts'
import { unconfinedArgv } from './confined-argv.ts'
import { ContainerProcess, type StartedProcess } from './container-process.ts'
import { enterUnlessCancelled } from './enter-world.ts'
import { resolveExecutable } from './resolve-executable.ts'
import { captureTerms, validateSpawn, worldDirectory } from './spawn-spec.ts'
import type { StandardStreams } from './standard-streams.ts'
import { spawnError } from './spawn-error.ts'
import { ContainerTerminal } from './container-terminal.ts'

/** The kernel's number of `RLIMIT_NOFILE`. */
const openFilesResource = 7

const processUmask = 0o022

/** Of a terminal whose caller does not say; nothing here draws. */
const terminalType = 'dumb'

/** `ctx.subprocess`: processes and terminals of the harness, in the container of `ctx.dockerWorld`. */
export class DockerSubprocess extends SubprocessRuntime {
  static readonly inject = ['dockerWorld']

  private readonly world: DockerWorld
  private readonly processes = new Set<ContainerProcess>()
  private readonly terminals = new Set<ContainerTerminal>()

  constructor(ctx: Context) {
    super(ctx)
    this.world = ctx.dockerWorld
    ctx.effect(() => {
      const stay = this.world.use(() => this.endAll())
      return async () => {
        await this.endAll()
        stay()
      }
    }, 'the end of the processes in the container')
  }

  /**
   * @throws `PROGRAM_NOT_FOUND`, `COMMAND_INVALID` for a relative path, the signal's reason, and what
   *   keeps the container from starting
   */
  async resolveExecutable(
    command: string,
    env?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<string> {
    signal?.throwIfAborted()
    const session = await this.world.enter()
    const { PATH } = this.environment(session, env)
    return resolveExecutable(session, session.hostPrograms.get(command) ?? command, PATH, signal)
  }

  /**
   * Returns at once, also when the container still has to be started.
   *
   * @throws `COMMAND_BLANK`, `COMMAND_INVALID`, `WORKDIR_INVALID`, `TIMEOUT_INVALID`, and
   *   `ABORTED_BEFORE_SPAWN` when the signal has aborted already
   */
  spawn(spec: SubprocessSpawnSpec): SubprocessHandle {
    validateSpawn(spec)
    if (spec.signal?.aborted === true) throw abortedBeforeSpawn(spec.signal)
    const handle = new ContainerProcess(spec, (streams, cancel) => this.start(spec, streams, cancel))
    this.processes.add(handle)
    const forget = (): void => void handle.waitForExit().then(() => this.processes.delete(handle))
    handle.done.then(forget, forget)
    return handle
  }

  async spawnTerminal(spec: SubprocessTerminalSpawnSpec): Promise<SubprocessTerminalHandle> {
    validateSpawn(spec)
    const { signal } = spec
    if (signal?.aborted === true) throw abortedBeforeSpawn(signal)
    const { argv, access } = unconfinedArgv(spec.argv)
    const session = await enterUnlessCancelled(this.world.enter(access), signal)
    const env = { TERM: terminalType, ...this.environment(session, spec.env) }
    const program = await this.program(session, { ...spec, argv }, env, signal)
    const size = { rows: spec.rows, columns: spec.cols }
    const terminal = await session.supervisor.openTerminal({ ...program, size }, signal).catch((error: unknown) => {
      throw spawnError(error)
    })
    const handle = new ContainerTerminal(terminal, session, spec.graceMs)
    this.terminals.add(handle)
    void terminal.gone.then(() => this.terminals.delete(handle))
    return handle
  }

  private async start(
    spec: SubprocessSpawnSpec,
    streams: StandardStreams,
    cancel: AbortSignal,
  ): Promise<StartedProcess> {
    const { argv, access } = unconfinedArgv(spec.argv)
    const session = await enterUnlessCancelled(this.world.enter(access), cancel)
    const env = this.environment(session, spec.env)
    const program = await this.program(session, { ...spec, argv }, env, cancel)
    if (cancel.aborted) throw abortedBeforeSpawn(cancel)
    const command = session.supervisor.spawn(
      { ...program, hasStdin: spec.stdio.stdin !== 'ignore', ...captureTerms(spec.stdio) },
      streams,
    )
    return { session, command }
  }

  private environment(session: WorldSession, explicit: NodeJS.ProcessEnv | undefined): Record<string, string> {
    return childEnvironment(session.baseEnvironment, process.env, this.world.config.inherit, explicit)
  }

  /** Which program runs where and as whom, whatever its streams are. */
  private async program(
    session: WorldSession,
    spec: { readonly argv: readonly string[]; readonly cwd: string },
    env: Record<string, string>,
    cancel: AbortSignal | undefined,
  ) {
    const [name = '', ...args] = spec.argv
    const file = session.hostPrograms.get(name) ?? name
    // A bare name is looked for in the supervisor's own PATH, the image's; the caller's may be another.
    const isElsewhere = !file.includes('/') && env['PATH'] !== session.baseEnvironment['PATH']
    const program = isElsewhere ? await resolveExecutable(session, file, env['PATH'], cancel) : file
    const { openFiles } = this.world.config.limits
    const limit = openFiles === undefined ? undefined : BigInt(openFiles)
    return {
      argv: [program, ...args],
      workdir: worldDirectory(this.world.cwd, spec.cwd),
      env,
      ...session.user,
      umask: processUmask,
      resourceLimits: limit === undefined ? [] : [{ resource: openFilesResource, soft: limit, hard: limit }],
    }
  }

  /** Nothing that was started outlives the service. */
  private async endAll(): Promise<void> {
    for (const handle of this.processes) handle.terminate()
    await Promise.all([
      ...[...this.processes].map(async (handle) => {
        await handle.done.catch(() => undefined) // its caller was told
        await handle.waitForExit()
      }),
      ...[...this.terminals].map((terminal) => terminal.terminate()),
    ])
  }
}
