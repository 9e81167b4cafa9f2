import { frameType, headerBytes, maxSpawnBytes, spawnFlag, streamId } from './protocol.ts'
import { tooLargeForFrame } from './start-error.ts'

/** A resource limit of one command, by the kernel's number of the resource. */
interface ResourceLimit {
  readonly resource: number
  readonly soft: bigint
  readonly hard: bigint
}

/** What is kept of an output stream. */
export interface StreamTerms {
  /** Bytes of the stream that are kept at its end, and past which it spills. */
  readonly maxOutputBytes: number
  /** Bytes of the stream that a spill file may take; 0 makes none. */
  readonly maxSpillBytes: number
  /** Every byte comes here, nothing spills, and the command waits for us; else what we are late for is skipped. */
  readonly isLossless: boolean
}

/** Everything the supervisor needs to run one command; nothing in it is defaulted. */
export interface CommandSpec extends StreamTerms {
  /** The program, by path or to be found in the `PATH` of `env`, and its arguments. */
  readonly argv: readonly string[]
  /** Absolute directory in the container. */
  readonly workdir: string
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>
  readonly uid: number
  readonly gid: number
  readonly umask: number
  /** Whether stdin is a stream from here; else it is `/dev/null`. */
  readonly hasStdin: boolean
  /** What is kept of stderr, where that is not what is kept of stdout. */
  readonly stderrTerms?: StreamTerms
  readonly resourceLimits: readonly ResourceLimit[]
}

/** The size of a terminal in characters, from 1 to 65,535 each. */
export interface TerminalSize {
  readonly rows: number
  readonly columns: number
}

function frame(type: number, stream: number, channel: number, payloadBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + payloadBytes)
  bytes.writeUInt32LE(payloadBytes, 0)
  bytes.writeUInt8(type, 4)
  bytes.writeUInt8(stream, 5)
  bytes.writeUInt16LE(0, 6)
  bytes.writeUInt32LE(channel, 8)
  return bytes
}

/**
 * @param size makes a terminal of the command's three streams
 * @throws `COMMAND_TOO_LARGE` or `ENV_TOO_LARGE` when argv and environment together pass 4 MiB; the
 * kernel's own limits are lower and come back as a failed start
 */
export function encodeSpawn(
  channel: number,
  spec: CommandSpec,
  creditBytes: number,
  size?: TerminalSize,
  stderrCreditBytes = creditBytes,
): Buffer {
  const { stderrTerms } = spec
  const fixedBytes = 48 + (size === undefined ? 0 : sizeBytes) + (stderrTerms === undefined ? 0 : streamTermsBytes)
  const limitBytes = 20
  const env = Object.entries(spec.env).map(([name, value]) => `${name}=${value}`)
  const strings = Buffer.from([spec.workdir, ...spec.argv, ...env, ''].join('\0'))
  const payloadBytes = fixedBytes + spec.resourceLimits.length * limitBytes + strings.length
  if (payloadBytes > maxSpawnBytes) {
    throw tooLargeForFrame(spec, payloadBytes)
  }
  const bytes = frame(frameType.spawn, 0, channel, payloadBytes)
  const flags =
    (spec.hasStdin ? spawnFlag.stdin : 0) |
    (spec.isLossless ? spawnFlag.lossless : 0) |
    (size === undefined ? 0 : spawnFlag.terminal) |
    (stderrTerms === undefined ? 0 : spawnFlag.stderrApart) |
    (stderrTerms?.isLossless === true ? spawnFlag.stderrLossless : 0)
  let at = headerBytes
  for (const value of [flags, spec.uid, spec.gid, spec.umask]) at = bytes.writeUInt32LE(value, at)
  at = writeStreamTerms(bytes, spec, creditBytes, at)
  for (const value of [spec.argv.length, env.length, spec.resourceLimits.length]) at = bytes.writeUInt32LE(value, at)
  if (size !== undefined) at = writeSize(bytes, size, at)
  if (stderrTerms !== undefined) at = writeStreamTerms(bytes, stderrTerms, stderrCreditBytes, at)
  for (const limit of spec.resourceLimits) {
    at = bytes.writeUInt32LE(limit.resource, at)
    at = bytes.writeBigUInt64LE(limit.soft, at)
    at = bytes.writeBigUInt64LE(limit.hard, at)
  }
  strings.copy(bytes, at)
  return bytes
}

const streamTermsBytes = 20

function writeStreamTerms(bytes: Buffer, terms: StreamTerms, creditBytes: number, offset: number): number {
  let at = bytes.writeBigUInt64LE(BigInt(terms.maxOutputBytes), offset)
  at = bytes.writeBigUInt64LE(BigInt(terms.maxSpillBytes), at)
  return bytes.writeUInt32LE(creditBytes, at)
}

const sizeBytes = 4

function writeSize(bytes: Buffer, { rows, columns }: TerminalSize, at: number): number {
  return bytes.writeUInt16LE(columns, bytes.writeUInt16LE(rows, at))
}

export function encodeWindow(channel: number, size: TerminalSize): Buffer {
  const bytes = frame(frameType.window, 0, channel, sizeBytes)
  writeSize(bytes, size, headerBytes)
  return bytes
}

/** The header alone: the bytes follow as they are, without a copy. */
export function encodeStdinHeader(channel: number, byteCount: number): Buffer {
  const bytes = frame(frameType.data, streamId.stdin, channel, 0)
  bytes.writeUInt32LE(byteCount, 0)
  return bytes
}

export function encodeStdinEnd(channel: number): Buffer {
  return frame(frameType.end, streamId.stdin, channel, 0)
}

export function encodeCredit(channel: number, stream: number, byteCount: number): Buffer {
  const bytes = frame(frameType.credit, stream, channel, 4)
  bytes.writeUInt32LE(byteCount, headerBytes)
  return bytes
}

/** @param signal the kernel's number; 0 sends nothing and only counts */
export function encodeSignal(channel: number, request: number, signal: number): Buffer {
  return signalFrame(frameType.signal, channel, request, signal)
}

/** The same, to the foreground process group of a terminal alone. */
export function encodeForeground(channel: number, request: number, signal: number): Buffer {
  return signalFrame(frameType.foreground, channel, request, signal)
}

function signalFrame(type: number, channel: number, request: number, signal: number): Buffer {
  const bytes = frame(type, 0, channel, 8)
  bytes.writeUInt32LE(request, headerBytes)
  bytes.writeUInt32LE(signal, headerBytes + 4)
  return bytes
}

export function encodeRelease(channel: number): Buffer {
  return frame(frameType.release, 0, channel, 0)
}

export function encodeRead(channel: number, path: string, creditBytes: number): Buffer {
  const name = Buffer.from(path)
  const bytes = frame(frameType.read, 0, channel, 4 + name.length)
  bytes.writeUInt32LE(creditBytes, headerBytes)
  name.copy(bytes, headerBytes + 4)
  return bytes
}

export function encodePing(token: bigint): Buffer {
  const bytes = frame(frameType.ping, 0, 0, 8)
  bytes.writeBigUInt64LE(token, headerBytes)
  return bytes
}
