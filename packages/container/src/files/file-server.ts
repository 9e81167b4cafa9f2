import { isSandboxError, SandboxError } from 'dsh-bash-error'
import type { ContainerUser } from '../container/container-spec.ts'
import type { CommandExit } from '../supervisor/frame-payloads.ts'
import type { SupervisedCommand } from '../supervisor/supervised-command.ts'
import type { SupervisorConnection } from '../supervisor/supervisor-connection.ts'
import { type Answer, AnswerDecoder } from './answer-decoder.ts'
import { decodeFailure } from './answer-payloads.ts'
import { aborted, fileError, type FileTask, filesProtocolError } from './file-error.ts'
import { answerKind, filesVersion } from './files-protocol.ts'
import { HandleTable } from './handle-table.ts'
import { encodeRequest, type FileRequest } from './request-encoder.ts'

/** The session that a file server runs in. */
export interface FilesSession {
  readonly supervisor: SupervisorConnection
  /** Keeps this process alive while an answer is awaited. */
  readonly container: { hold(): void; letGo(): void }
}

/** What one request came to: the payload of the answer, and those of the entries before it. */
export interface Outcome {
  readonly payload: Buffer
  readonly entries: readonly Buffer[]
}

interface Pending {
  readonly task: FileTask
  readonly entries: Buffer[]
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: SandboxError) => void
}

const filesUmask = 0o022
const sigcont = 18
const sigkill = 9

/** A server that was asked something and says nothing for so long is told to go on, should it have been stopped. */
const silenceMs = 1000

/** After its input has ended it has so long to end by itself. */
const endGraceMs = 1000

/** Bytes of each output stream that the supervisor keeps for it: of no use to a lossless command. */
const keptOutputBytes = 4096

/**
 * One life of the process that serves files, from its start to its end. It answers in order; requests
 * may be sent before the answer to the one before.
 */
export class FileServer {
  readonly handles = new HandleTable()
  private readonly command: SupervisedCommand
  private readonly pending = new Map<number, Pending>()
  private readonly decoder = new AnswerDecoder()
  private readonly session: FilesSession
  private lastId = 0
  private hasGreeted = false
  private endedBy: SandboxError | undefined
  private isEnding = false
  private silence: NodeJS.Timeout | undefined

  /**
   * Asks for its start; whether that succeeds shows in the answers.
   *
   * @throws `SESSION_LOST`
   */
  constructor(session: FilesSession, user: ContainerUser, program: string) {
    this.session = session
    const sink = {
      write: (chunk: Uint8Array) => this.onBytes(chunk),
      skip: ignore,
      spilled: ignore,
    }
    const spec = {
      argv: [program, '--files'],
      workdir: '/',
      env: {},
      ...user,
      umask: filesUmask,
      hasStdin: true,
      maxOutputBytes: keptOutputBytes,
      maxSpillBytes: 0,
      isLossless: true,
      resourceLimits: [],
    }
    this.command = session.supervisor.spawn(spec, {
      stdout: sink,
      stderr: { write: ignore, skip: ignore, spilled: ignore },
    })
    // Not before all that it answered is here.
    const end = this.command.drained.then(() => this.command.exited)
    end.then(
      (exit) => this.fail(endError(exit)),
      (error: SandboxError) => this.fail(error),
    )
  }

  get hasEnded(): boolean {
    return this.endedBy !== undefined
  }

  /**
   * Sends one request. An abort rejects at once; what was sent is done all the same.
   *
   * @throws the error of the answer, `FILE_ABORTED`, or why the server has ended
   */
  request(task: FileTask, request: FileRequest, signal?: AbortSignal): Promise<Outcome> {
    if (this.isEnding) return Promise.reject(aborted(task))
    if (this.endedBy !== undefined) return Promise.reject(this.endedBy)
    if (signal?.aborted === true) return Promise.reject(aborted(task, signal.reason))
    const id = this.takeId()
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const onAbort = (): void => reject(aborted(task, signal?.reason))
    signal?.addEventListener('abort', onAbort, { once: true })
    const settled = (): void => signal?.removeEventListener('abort', onAbort)
    promise.then(settled, settled)
    if (this.pending.size === 0) this.awaitAnswers()
    this.pending.set(id, { task, entries: [], resolve, reject })
    for (const piece of encodeRequest(id, request)) void this.command.stdin.write(piece)
    return promise
  }

  /** Resolves when the server has ended. What it has not answered, and what it is asked now, rejects with `FILE_ABORTED`. */
  async end(): Promise<void> {
    const { command } = this
    this.isEnding = true
    for (const { task, reject } of this.pending.values()) reject(aborted(task))
    command.stdin.end()
    this.session.container.hold()
    const timer = setTimeout(() => void command.signalTree(sigkill), endGraceMs)
    try {
      await command.gone
    } finally {
      clearTimeout(timer)
      this.session.container.letGo()
    }
  }

  private takeId(): number {
    do this.lastId = this.lastId === 0xffff_ffff ? 1 : this.lastId + 1
    while (this.pending.has(this.lastId))
    return this.lastId
  }

  private onBytes(chunk: Uint8Array): void {
    if (this.endedBy !== undefined) return
    try {
      this.decoder.push(chunk, (answer) => this.onAnswer(answer))
    } catch (error) {
      this.fail(isSandboxError(error) ? error : filesProtocolError(String(error)))
      void this.command.signalTree(sigkill)
    }
  }

  private onAnswer({ id, kind, payload }: Answer): void {
    if (!this.hasGreeted) return this.onGreeting(id, kind, payload)
    const pending = this.pending.get(id)
    if (pending === undefined) throw filesProtocolError('an answer to nothing')
    this.silence?.refresh()
    if (kind === answerKind.entry) {
      pending.entries.push(payload)
      return
    }
    this.pending.delete(id)
    if (this.pending.size === 0) this.restAwhile()
    if (kind === answerKind.done) pending.resolve({ payload, entries: pending.entries })
    else if (kind === answerKind.failed) pending.reject(fileError(pending.task, decodeFailure(payload)))
    else throw filesProtocolError('a second greeting')
  }

  private onGreeting(id: number, kind: number, payload: Buffer): void {
    const isGreeting = id === 0 && kind === answerKind.hello && payload.length === 4
    if (!isGreeting || payload.readUInt32LE(0) !== filesVersion) throw filesProtocolError('another greeting')
    this.hasGreeted = true
  }

  private awaitAnswers(): void {
    this.session.container.hold()
    this.silence = setInterval(() => void this.command.signalTree(sigcont), silenceMs).unref()
  }

  private restAwhile(): void {
    clearInterval(this.silence)
    this.session.container.letGo()
  }

  private fail(error: SandboxError): void {
    if (this.endedBy !== undefined) return
    this.endedBy = error
    if (this.pending.size > 0) this.restAwhile()
    for (const { reject } of this.pending.values()) reject(error)
    this.pending.clear()
    this.handles.close(error)
  }
}

function ignore(): void {}

function endError(exit: CommandExit): SandboxError {
  const { exitCode, signal } = exit
  if (exitCode === 3) return filesProtocolError('it refused a request')
  return new SandboxError('FILES_INTERRUPTED', `the file server ended: ${signal ?? `exit code ${exitCode}`}`, {
    context: { exitCode, signal, oomKills: exit.oomKills },
  })
}
