import { SandboxError } from 'dsh-bash-error'
import { z } from 'zod'
import { signalName } from './linux-names.ts'
import { exitedFlag, foregroundFlag, type SpillState, spillStates, type StartStage, startStages } from './protocol.ts'

const helloSchema = z.object({
  protocol: z.int(),
  build: z.string(),
  pidNamespace: z.number(),
  subreaper: z.boolean(),
  setUid: z.boolean(),
  setGid: z.boolean(),
  kill: z.boolean(),
  dropBounding: z.boolean(),
  noNewPrivs: z.boolean(),
  guardUid: z.int(),
  oomScoreAdj: z.int(),
  commandOomScoreAdj: z.int(),
  memoryCgroup: z.literal([0, 1, 2]),
  memoryBytes: z.number(),
  pidsCgroup: z.literal([0, 1, 2]),
  pids: z.number(),
  maxCommands: z.int(),
  spillErrno: z.int(),
  terminalErrno: z.int(),
})

/** What runs as PID 1 and what its kernel and container let it do; the fields are those of `docs/protocol.md`. */
export type SupervisorHello = Readonly<z.infer<typeof helloSchema>>

/** How a command's own process ended, and what of the container's limits it met. */
export interface CommandExit {
  /** Null exactly when a signal ended it. */
  readonly exitCode: number | null
  /** The signal's Linux name, else null. */
  readonly signal: string | null
  readonly coreDumped: boolean
  /** A SIGKILL had been asked for through the supervisor. */
  readonly killedByHost: boolean
  readonly wallMs: number
  readonly userCpuMs: number
  readonly systemCpuMs: number
  readonly maxRssBytes: number
  /** Kills by the out-of-memory killer in this container while the command ran. */
  readonly oomKills: number
  /** Forks that the pids limit refused in this container while the command ran. */
  readonly pidsDenied: number
  /** Whether a process of it was left, which may hold its output. */
  readonly hasSurvivors: boolean
  /** Index of the first watched file system that was full when the command failed. */
  readonly fullDisk: number | undefined
}

/** What became of one output stream. */
export interface StreamEnd {
  readonly totalBytes: number
  /** Bytes that never came here. */
  readonly skippedBytes: number
  readonly spill: SpillState
  /** The complete stream, in the container; only when `spill` is `kept`. */
  readonly spillPath: string | undefined
}

/** What one signal to a command's processes met. */
export interface TreeReceipt {
  /** The most processes that one look found alive and sent the signal to. */
  readonly signalled: number
  /** Processes left alive; 0 is proof that none is left. */
  readonly remaining: number
  /** Some of those left, in the container's pid namespace. */
  readonly pids: readonly number[]
}

/** The foreground process group of a terminal, as the terminal itself knows it. */
export interface TerminalForeground {
  readonly processGroupId: number
  /**
   * A process of the group is proven to wait for input of this terminal. False where that cannot be
   * proven, as where the engine's kernel forbids to look (Yama's `ptrace_scope` from 2 on).
   */
  readonly isWaitingForInput: boolean
}

export interface StartFailure {
  readonly stage: StartStage
  readonly errno: number
}

/** Reads numbers off a payload; a payload that is too short is a protocol error like any other. */
class PayloadReader {
  private offset = 0
  private readonly payload: Buffer

  constructor(payload: Buffer) {
    this.payload = payload
  }

  u32(): number {
    this.need(4)
    this.offset += 4
    return this.payload.readUInt32LE(this.offset - 4)
  }

  u64(): number {
    return Number(this.u64Exact())
  }

  u64Exact(): bigint {
    this.need(8)
    this.offset += 8
    return this.payload.readBigUInt64LE(this.offset - 8)
  }

  get restBytes(): number {
    return this.payload.length - this.offset
  }

  rest(): string {
    return this.payload.toString('utf8', this.offset)
  }

  private need(byteCount: number): void {
    if (this.restBytes < byteCount) throw protocolError('a frame is shorter than its type needs')
  }
}

export function protocolError(message: string, cause?: unknown): SandboxError {
  return new SandboxError('ENGINE_PROTOCOL', `the supervisor's stream is not understood: ${message}`, { cause })
}

export function decodeHello(payload: Buffer): SupervisorHello {
  try {
    return helloSchema.parse(JSON.parse(payload.toString('utf8')))
  } catch (error) {
    throw protocolError('the hello is malformed', error)
  }
}

export function decodeExited(payload: Buffer): CommandExit & { isLost: boolean } {
  const reader = new PayloadReader(payload)
  const flags = reader.u32()
  const code = reader.u32()
  const signal = reader.u32()
  const wallMs = reader.u64() / 1e6
  const userCpuMs = reader.u64() / 1e3
  const systemCpuMs = reader.u64() / 1e3
  const maxRssBytes = reader.u64()
  const oomKills = reader.u32()
  const pidsDenied = reader.u32()
  const disk = reader.u32()
  return {
    exitCode: signal === 0 ? code : null,
    signal: signal === 0 ? null : signalName(signal),
    coreDumped: (flags & exitedFlag.core) !== 0,
    killedByHost: (flags & exitedFlag.killedByHost) !== 0,
    wallMs,
    userCpuMs,
    systemCpuMs,
    maxRssBytes,
    oomKills,
    pidsDenied,
    fullDisk: disk === 0 ? undefined : disk - 1,
    hasSurvivors: (flags & exitedFlag.gone) === 0,
    isLost: (flags & exitedFlag.lost) !== 0,
  }
}

export function decodeEnd(payload: Buffer): StreamEnd {
  const reader = new PayloadReader(payload)
  const totalBytes = reader.u64()
  const skippedBytes = reader.u64()
  const spill = spillStates[reader.u32()]
  if (spill === undefined) throw protocolError('an unknown state of a spill file')
  return { totalBytes, skippedBytes, spill, spillPath: spill === 'kept' ? reader.rest() : undefined }
}

export function decodeTree(payload: Buffer): TreeReceipt & { request: number } {
  const reader = new PayloadReader(payload)
  const request = reader.u32()
  const signalled = reader.u32()
  const remaining = reader.u32()
  const pids: number[] = []
  while (reader.restBytes > 0) pids.push(reader.u32())
  return { request, signalled, remaining, pids }
}

/** `foreground` is undefined where no group of the terminal's own session is in the foreground. */
export function decodeForeground(payload: Buffer): { request: number; foreground: TerminalForeground | undefined } {
  const reader = new PayloadReader(payload)
  const request = reader.u32()
  const processGroupId = reader.u32()
  const isWaitingForInput = (reader.u32() & foregroundFlag.waitsForInput) !== 0
  return { request, foreground: processGroupId === 0 ? undefined : { processGroupId, isWaitingForInput } }
}

export function decodeFailed(payload: Buffer): StartFailure {
  const reader = new PayloadReader(payload)
  const stage = (startStages as Readonly<Record<number, StartStage>>)[reader.u32()]
  if (stage === undefined) throw protocolError('an unknown stage of a start')
  return { stage, errno: reader.u32() }
}

export function decodeU32(payload: Buffer): number {
  return new PayloadReader(payload).u32()
}

export function decodeU64(payload: Buffer): number {
  return new PayloadReader(payload).u64()
}

export function decodeToken(payload: Buffer): bigint {
  return new PayloadReader(payload).u64Exact()
}
