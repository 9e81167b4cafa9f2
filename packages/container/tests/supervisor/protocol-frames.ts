import { encodeStdinHeader } from '../../src/supervisor/frame-encoder.ts'
import type { SupervisorHello } from '../../src/supervisor/frame-payloads.ts'

/** Any frame, also one that neither side would send. */
export function frame(type: number, stream: number, channel: number, payload: Uint8Array, reserved = 0): Buffer {
  const header = encodeStdinHeader(channel, payload.length)
  header[4] = type
  header[5] = stream
  header.writeUInt16LE(reserved, 6)
  return Buffer.concat([header, payload])
}

/** What a supervisor that has everything says of itself. */
export const wholeHello: SupervisorHello = {
  protocol: 1,
  build: 'f'.repeat(64),
  pidNamespace: 1,
  subreaper: true,
  setUid: true,
  setGid: true,
  kill: true,
  dropBounding: true,
  noNewPrivs: true,
  guardUid: 65529,
  oomScoreAdj: -1000,
  commandOomScoreAdj: 0,
  memoryCgroup: 1,
  memoryBytes: 1,
  pidsCgroup: 1,
  pids: 1,
  maxCommands: 1,
  spillErrno: 0,
  terminalErrno: 0,
}
