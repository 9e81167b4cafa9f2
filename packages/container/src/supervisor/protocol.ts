/** The numbers of `docs/protocol.md`; `docker/supervisor/src/frame.h` holds the same. */

export const protocolVersion = 1

export const headerBytes = 12
export const maxDataBytes = 64 * 1024
export const maxSpawnBytes = 4 * 1024 * 1024
/** What may be sent to a command's stdin before the supervisor has given credit. */
export const stdinWindowBytes = 1024 * 1024

export const frameType = {
  spawn: 1,
  data: 2,
  end: 3,
  credit: 4,
  signal: 5,
  release: 6,
  read: 7,
  ping: 8,
  window: 9,
  foreground: 10,
  hello: 16,
  started: 17,
  failed: 18,
  skip: 19,
  exited: 20,
  gone: 21,
  tree: 22,
  reset: 23,
  pong: 24,
  error: 25,
  spill: 26,
  foregroundState: 27,
} as const

export const streamId = { stdin: 0, stdout: 1, stderr: 2 } as const

export const spawnFlag = { stdin: 1, lossless: 2, terminal: 4, stderrApart: 8, stderrLossless: 16 } as const

/** Sizes of a terminal, in rows and in columns. */
export const maxWindowCells = 0xffff

export const foregroundFlag = { waitsForInput: 1 } as const

export const exitedFlag = { core: 1, gone: 2, killedByHost: 4, lost: 8 } as const

/** Where a start failed, by the number in a FAILED frame. */
export const startStages = {
  1: 'limit',
  2: 'pipe',
  3: 'fork',
  4: 'session',
  5: 'rlimit',
  6: 'identity',
  7: 'directory',
  8: 'exec',
  9: 'spill',
  10: 'keeper',
  11: 'terminal',
} as const

export type StartStage = (typeof startStages)[keyof typeof startStages]

/** Why a stream has or has not a spill file, by the number in an END frame. */
export const spillStates = ['none', 'kept', 'over-cap', 'over-quota', 'failed'] as const

export type SpillState = (typeof spillStates)[number]

/** Why the supervisor ended the session, by the number in an ERROR frame. */
export const protocolErrors = [
  'none',
  'unknown frame type',
  'length out of bounds',
  'no such stream',
  'reserved bytes are not zero',
  'channel in use or not allowed',
  'malformed spawn',
  'more than the credit given',
  'no such signal',
  'no such window size',
] as const
