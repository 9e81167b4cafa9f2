import type { Readable } from 'node:stream'
import type { BashCause, BashSandboxFacts, BashUsage, OwnerToken } from 'dsh-bash'

/** Everything a host needs to start one command. Already validated; nothing in it is defaulted. */
export interface ProcessSpec {
  /** Bash code for a fresh, non-login `bash -c`. */
  readonly command: string
  /** Absolute directory in the command's own world. */
  readonly workdir: string
  /** The trusted caller's variables: they win over every other. */
  readonly env: Readonly<Record<string, string>> | undefined
  /**
   * Standard input, then end of file; undefined is `/dev/null`. A stream is read as fast as the
   * command reads it and destroyed when the command ends; one that fails is at its end.
   */
  readonly stdin: string | Readable | undefined
  readonly owner: OwnerToken | undefined
  /** For hosts that capture in the command's own world. */
  readonly capture: CaptureTerms
}

/** Takes one stream of a command, in order. Never blocks and never throws. */
export interface OutputSink {
  /**
   * Takes the chunk for good: nobody writes to it afterwards. A promise asks for a pause: the host
   * reads no more of the command's output until it has resolved. It never rejects.
   */
  write(chunk: Uint8Array): void | Promise<void>
}

/** What a host that captures in the command's own world says of a stream besides its bytes. */
export interface CapturedSink extends OutputSink {
  /** So many bytes are left out here. The last `maxOutputBytes` of a stream are never left out. */
  skip(byteCount: number): void
  /** Where the complete stream goes; undefined when it is not complete there after all. */
  spilled(path: string | undefined): void
}

/** Both output streams of a command. */
export interface ProcessSinks {
  readonly stdout: CapturedSink
  readonly stderr: CapturedSink
}

/** How much of one stream is kept, and where the rest goes. */
export interface CaptureLimits {
  /** Bytes kept in memory: the tail. */
  readonly maxOutputBytes: number
  /** Bytes a spill file may hold; a stream that is longer has none. */
  readonly maxSpillBytes: number
}

/** What the caller wants of the output while it comes. */
export interface CaptureTerms extends CaptureLimits {
  /**
   * True: every byte is wanted, and the command waits for whoever is slow to take it. False: of what
   * comes faster than it is taken only the tail is needed.
   */
  readonly isWhole: boolean
}

/** A private file in the command's world that takes the complete bytes of one stream. */
export interface SpillFile {
  /** The path as the command's world names it. */
  readonly path: string
  /** Appends. Throws when it cannot: the stream is then not complete there. */
  write(chunk: Uint8Array): void
  /** Flushes and closes; the file stays readable. */
  close(): void
  /** Removes it. */
  discard(): void
}

/** How the command's own process ended, as its world said it. */
export interface ProcessExit {
  /** Null exactly when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly coreDumped?: boolean
  /**
   * False where the world knows that no process of the command is left: then nobody holds its output,
   * and what has not arrived is merely on its way. Absent where it does not know.
   */
  readonly hasSurvivors?: boolean
  readonly usage?: BashUsage
  readonly cause?: BashCause
}

/** Facts that are known once a command exists. */
export interface SpawnFacts {
  /** In the pid namespace of the command's world; undefined where the world does not tell. */
  readonly pid?: number
  readonly sandbox?: BashSandboxFacts
}

/** What may be sent to a command's processes; `probe` sends nothing and only counts. */
export type TreeSignal = 'SIGTERM' | 'SIGKILL' | 'probe'

/** One command in its world, from the request to start it until nothing of it is held any more. */
export interface HostedProcess {
  /**
   * Resolves when the command exists. Rejects with a `SandboxError` when it could not be run:
   * nothing of it is left then.
   */
  readonly spawned: Promise<SpawnFacts>
  /**
   * Resolves when the command's own process has ended, survivors or not; rejects with
   * `SESSION_LOST` when its world ended or could not be asked. Never settles before `spawned`.
   */
  readonly exited: Promise<ProcessExit>
  /** Resolves when nobody holds the output any more, so that every byte has been delivered. */
  readonly drained: Promise<void>
  /**
   * Signals every process of the command that the host can find, its own and its descendants,
   * and says how many are left alive. TERM also continues stopped ones. Valid after `spawned`,
   * and after the command's own process has ended. Resolves with 0 when its world is gone.
   */
  signalTree(signal: TreeSignal): Promise<number>
  /**
   * Opens a spill file for one stream. Valid after `spawned`. A host without it spills by itself and
   * says where through the sinks.
   *
   * @throws when the world has no place for one
   */
  openSpill?(stream: 'stdout' | 'stderr'): SpillFile
  /** No more output is wanted. Survivors keep running, and what they hold keeps no host alive. */
  release(): void
}

/**
 * Where processes run. The one port under every executor of this project: a new executor is a new
 * `ProcessHost` and nothing else.
 */
export interface ProcessHost {
  /**
   * Starts a command; returns at once. When `cancel` aborts before the command exists, `spawned`
   * rejects with `ABORTED_BEFORE_SPAWN` and nothing runs.
   */
  spawn(spec: ProcessSpec, sinks: ProcessSinks, cancel: AbortSignal): HostedProcess
  /**
   * The bytes of a spill file, for the host.
   *
   * @throws `SPILL_UNAVAILABLE`
   */
  readSpill(path: string): AsyncIterable<Uint8Array>
  /** Ends the world and removes what belongs to it. Every command has ended before. */
  dispose(): Promise<void>
}
