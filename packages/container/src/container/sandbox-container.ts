import type { Socket } from 'node:net'
import { SandboxError } from 'dsh-bash-error'
import { isLate } from '../engine/call.ts'
import type { Engine } from '../engine/engine.ts'
import { ContainerExec, type ExecSpec } from './container-exec.ts'
import { labelNames } from './owner.ts'
import { untilUnlisted } from './until-unlisted.ts'
import type { SupervisorConnection } from '../supervisor/supervisor-connection.ts'

/** How a container came to its end: by {@link SandboxContainer.end}, or under us. */
export interface ContainerEnd {
  readonly reason: 'ended' | 'lost'
}

/**
 * A running container that lives as long as its attach stream. When the stream ends, for whatever
 * reason, its main process ends and the engine removes it.
 */
export class SandboxContainer {
  readonly id: string
  readonly name: string
  readonly sessionId: string
  /** Resolves when it has ended, or when the stream that keeps it was lost; never rejects. */
  readonly ended: Promise<ContainerEnd>
  /** What runs commands in it; undefined where its main process only waits. */
  readonly supervisor: SupervisorConnection | undefined
  private readonly engine: Engine
  private readonly socket: Socket
  private readonly markEnded: (end: ContainerEnd) => void
  private hasEnded = false
  private removing: Promise<void> | undefined
  private holdCount = 0

  constructor(
    engine: Engine,
    identity: { id: string; name: string; sessionId: string },
    socket: Socket,
    supervisor: SupervisorConnection | undefined,
  ) {
    this.supervisor = supervisor
    this.engine = engine
    this.id = identity.id
    this.name = identity.name
    this.sessionId = identity.sessionId
    this.socket = socket
    const { promise, resolve } = Promise.withResolvers<ContainerEnd>()
    this.ended = promise
    this.markEnded = (end) => {
      this.hasEnded = true
      resolve(end)
    }
    const onLost = (): void => {
      this.markEnded({ reason: 'lost' })
      socket.destroy()
    }
    socket.once('end', onLost)
    socket.once('close', onLost)
    socket.resume()
    // A session that nobody uses keeps no process alive; its container ends with the process.
    socket.unref()
  }

  get isEnded(): boolean {
    return this.hasEnded
  }

  /** Keeps this process from ending by itself, until as many {@link letGo}. */
  hold(): void {
    this.holdCount += 1
    if (this.holdCount === 1) this.socket.ref()
  }

  letGo(): void {
    this.holdCount -= 1
    if (this.holdCount === 0) this.socket.unref()
  }

  /** Runs a process in it; returns at once. */
  exec(spec: ExecSpec): ContainerExec {
    return new ContainerExec(this.engine.port, this, spec)
  }

  /**
   * Whether a process can still be run in it. One that can run nothing, because its memory is full of
   * files or its main process is gone, is ended: nothing else would free it.
   */
  async isUsable(): Promise<boolean> {
    if (this.hasEnded) return false
    const nothing = (): void => undefined
    const probe = new ContainerExec(
      this.engine.port,
      { id: this.id, isEnded: false, isUsable: () => Promise.resolve(false) },
      {
        argv: ['bash', '-c', ':'],
        workdir: '/',
        env: {},
        user: { uid: 0, gid: 0 },
        stdout: nothing,
        stderr: nothing,
      },
    )
    const exitCode = await probe.exited.then(
      (exit) => exit.exitCode,
      () => undefined, // it cannot
    )
    if (exitCode === 0 && !this.hasEnded) return true
    void this.finish('lost').catch(nothing) // `gc` finds what an engine did not remove
    return false
  }

  /**
   * Kills every process in it and removes it; resolves when the engine lists it no more. An engine
   * that is gone has nothing to list: its containers end with their streams.
   *
   * @throws `ENGINE_REFUSED` when it is still there after the engine had ten seconds; again, it tries again
   */
  end(): Promise<void> {
    return this.finish('ended')
  }

  private finish(reason: ContainerEnd['reason']): Promise<void> {
    this.markEnded({ reason })
    this.removing ??= this.remove().catch((error: unknown) => {
      this.removing = undefined
      throw error
    })
    return this.removing
  }

  private async remove(): Promise<void> {
    this.socket.destroy()
    // The engine may be removing it already: then it refuses, and the list tells when it has.
    await this.engine.port.removeContainer(this.id).catch(() => undefined)
    if (await untilUnlisted(() => this.isListed())) return
    throw new SandboxError('ENGINE_REFUSED', `the engine did not remove the container ${this.name}`, {
      context: { id: this.id },
      hint: '`bash-docker gc` tries again.',
    })
  }

  /** Also while the engine is too busy to say; not when it is gone. */
  private async isListed(): Promise<boolean> {
    try {
      return (await this.engine.port.listContainers(`${labelNames.session}=${this.sessionId}`)).length > 0
    } catch (error) {
      return isLate(error)
    }
  }
}
