import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { messageOf, SandboxError } from 'dsh-bash-error'
import type { ExecFacts } from '../engine/answers.ts'
import { isLate } from '../engine/call.ts'
import type { EnginePort } from '../engine/port.ts'
import { Demultiplexer } from '../stream/demultiplexer.ts'
import type { ContainerUser } from './container-spec.ts'
import { assertExecFits } from './exec-limits.ts'

/** One process to run in a container. */
export interface ExecSpec {
  readonly argv: readonly string[]
  readonly workdir: string
  /** Over the container's own; passed with the exec, and in no metadata of the engine. */
  readonly env: Readonly<Record<string, string>>
  readonly user: ContainerUser
  /**
   * Then end of file. Without it, standard input is `/dev/null`. A stream is destroyed when the
   * process ends; one that fails is at its end.
   */
  readonly stdin?: string | Uint8Array | Readable
  readonly stdout: ByteSink
  readonly stderr: ByteSink
}

/** Takes bytes in order. A promise asks for a pause: no more is read until it has resolved. It never rejects. */
type ByteSink = (chunk: Uint8Array) => void | Promise<void>

/** The container as its execs need to know it. */
interface ExecWorld {
  readonly id: string
  readonly isEnded: boolean
  /** Whether a process can still be run in it. */
  isUsable(): Promise<boolean>
}

/** How long an exec whose stream has ended may still count as running. */
const settleDeadlineMs = 2_000
const settlePollMs = 20

/** How long an engine under load may take to say how an exec ended. */
const answerDeadlineMs = 30_000

/** No engine explains a failed start at such length: more than this is a process's own output. */
const maxExplanationBytes = 65_536

/** What the engine reports for a process that KILL ended, and for every one when its container ends. */
const killedExitCode = 137

/**
 * One Docker exec. Its exit code is the engine's or none at all: when the stream broke, or the
 * container ended under it, it is lost.
 */
export class ContainerExec {
  /**
   * Resolves when the engine took the stream over (101). The process itself appears some time later;
   * one that then cannot be started makes {@link exited} reject.
   */
  readonly started: Promise<void>
  /**
   * Resolves when the process has ended and everything it printed was delivered. Rejects with
   * `SPAWN_FAILED` when it was never started (the engine's words are `context.engineMessage`), with
   * `SESSION_LOST` when its end cannot be known, with `ENGINE_PROTOCOL` for a broken stream, and
   * with what {@link started} rejects with.
   */
  readonly exited: Promise<{ readonly exitCode: number }>
  private readonly port: EnginePort
  private readonly world: ExecWorld
  private readonly spec: ExecSpec
  private socket: Socket | undefined
  private execId = ''
  /** The process is known to exist: what comes on stdout is its own. */
  private isConfirmed = false
  private readonly heldBack: Uint8Array[] = []
  private heldBackBytes = 0
  private isGivenUp = false
  private pauseCount = 0

  constructor(port: EnginePort, world: ExecWorld, spec: ExecSpec) {
    this.port = port
    this.world = world
    this.spec = spec
    const opened = this.open()
    this.started = opened.then(() => undefined)
    this.exited = opened.then((socket) => this.follow(socket))
    this.started.catch(() => undefined) // `exited` carries it too
    this.exited.catch(() => undefined) // whoever needs the end awaits it
  }

  /** Gives the stream up. The process goes on; its end cannot be known any more unless it is already. */
  disconnect(): void {
    this.isGivenUp = true
    this.socket?.destroy()
  }

  private async open(): Promise<Socket> {
    const { argv, workdir, env, user, stdin } = this.spec
    assertExecFits(argv, env)
    if (this.world.isEnded) throw this.lost('the container has ended')
    try {
      this.execId = await this.port.createExec(this.world.id, {
        Cmd: argv,
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        User: `${user.uid}:${user.gid}`,
        WorkingDir: workdir,
        AttachStdin: stdin !== undefined,
        AttachStdout: true,
        AttachStderr: true,
        Tty: false,
        Privileged: false,
      })
      this.socket = await this.port.startExec(this.execId)
      if (this.isGivenUp) this.socket.destroy()
      return this.socket
    } catch (error) {
      if (!(await this.world.isUsable())) throw this.lost('the container has ended', error)
      throw error
    }
  }

  private async follow(socket: Socket): Promise<{ exitCode: number }> {
    await this.transfer(socket)
    const facts = await this.settledFacts()
    if (facts.pid === 0) throw this.neverStarted()
    this.confirm()
    if (facts.running || facts.exitCode === null) throw this.lost('the stream ended before the process')
    if (facts.exitCode === killedExitCode && !(await this.world.isUsable())) {
      throw this.lost('the container ended under the process')
    }
    return { exitCode: facts.exitCode }
  }

  /** Until the engine ends the stream, which it does when the process has ended. */
  private transfer(socket: Socket): Promise<void> {
    const demultiplexer = new Demultiplexer({
      stdout: (chunk) => this.deliverStdout(chunk),
      stderr: (chunk) => this.emit(this.spec.stderr, chunk),
    })
    return new Promise((resolve, reject) => {
      const attempt = (step: () => void): void => {
        try {
          step()
        } catch (error) {
          reject(error)
          socket.destroy()
        }
      }
      socket.on('data', (chunk) => attempt(() => demultiplexer.write(chunk)))
      socket.once('error', (error) => reject(this.lost(`the connection broke: ${messageOf(error)}`, error)))
      socket.once('close', () => reject(this.lost('the connection was closed')))
      socket.once('end', () => {
        attempt(() => {
          demultiplexer.end()
          resolve()
        })
        // Input that was never read would keep it open.
        socket.destroy()
      })
      // Reading has begun: now what is written cannot block what is read.
      feed(socket, this.spec.stdin)
    })
  }

  private emit(sink: ByteSink, chunk: Uint8Array): void {
    const room = sink(chunk)
    if (room !== undefined) this.pauseUntil(room)
  }

  /** Reads nothing until `room` has resolved, and until everybody else who asked for a pause is content. */
  private pauseUntil(room: Promise<void>): void {
    this.pauseCount += 1
    this.socket?.pause()
    void room.then(() => {
      this.pauseCount -= 1
      if (this.pauseCount === 0) this.socket?.resume()
    })
  }

  /**
   * The engine says why a process could not be started on the process's own stdout. So stdout is
   * held back until the engine confirms that there is a process.
   */
  private deliverStdout(chunk: Uint8Array): void {
    if (this.isConfirmed) return this.emit(this.spec.stdout, chunk)
    this.heldBack.push(chunk)
    this.heldBackBytes += chunk.length
    if (this.heldBackBytes > maxExplanationBytes) this.confirm()
    // Reading goes on: an engine may answer only once it has got rid of the output of a process that
    // has ended, and it drops what it could not within two seconds.
    else if (this.heldBack.length === 1) void this.confirmWithEngine()
  }

  private async confirmWithEngine(): Promise<void> {
    for (;;) {
      const facts = await this.port.inspectExec(this.execId).catch(() => undefined) // asked again at the end
      if (facts !== undefined && facts.pid !== 0) return this.confirm()
      // A process may print before the engine has noted its number; one that never started does not run.
      if (facts?.running !== true) return
      await delay(settlePollMs)
    }
  }

  private confirm(): void {
    if (this.isConfirmed) return
    this.isConfirmed = true
    for (const chunk of this.heldBack.splice(0)) this.emit(this.spec.stdout, chunk)
  }

  /** The stream may end a moment before the engine has noted the exit, and a busy engine answers late. */
  private async settledFacts(): Promise<ExecFacts> {
    const endedAt = performance.now()
    for (;;) {
      const facts = await this.port.inspectExec(this.execId).catch((error: unknown) => {
        if (isLate(error) && performance.now() - endedAt < answerDeadlineMs) return 'late' as const
        throw this.lost('the engine does not answer', error)
      })
      if (facts === undefined) throw this.lost('the engine no longer knows the process')
      if (facts === 'late') continue
      if (!facts.running || performance.now() - endedAt > settleDeadlineMs) return facts
      await delay(settlePollMs)
    }
  }

  private neverStarted(): SandboxError {
    const engineMessage = Buffer.concat(this.heldBack).toString('utf8').trim()
    return new SandboxError('SPAWN_FAILED', `the engine could not start the process: ${engineMessage}`, {
      context: { engineMessage },
    })
  }

  private lost(why: string, cause?: unknown): SandboxError {
    return new SandboxError('SESSION_LOST', `the session was lost: ${why}`, {
      context: { containerId: this.world.id },
      cause,
    })
  }
}

function feed(socket: Socket, stdin: ExecSpec['stdin']): void {
  if (stdin === undefined) return
  if (typeof stdin === 'string' || stdin instanceof Uint8Array) return void socket.end(stdin)
  stdin.once('error', () => socket.end())
  stdin.pipe(socket)
  socket.once('close', () => stdin.destroy())
}
