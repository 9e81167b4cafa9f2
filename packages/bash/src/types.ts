import type { BashTaskId, OwnerToken } from './brand.ts'

/** What a caller asks for; {@link BashExecSpec} is the same with every default filled in. */
export interface BashExecRequest {
  /** Bash code, run by a fresh non-login `bash -c`. */
  command: string
  /** Absolute directory in the command's own world. Default: the executor's configuration. */
  workdir?: string | undefined
  /** Milliseconds until the command is ended. Default and cap: the executor's configuration. */
  timeoutMs?: number | undefined
  /** Ends the command when it aborts. */
  signal?: AbortSignal | undefined
  /**
   * Bytes for the command's standard input (UTF-8), then end of file; absent, it is `/dev/null`.
   * For trusted callers: a model's tool never fills it (docs/decisions/0001-trusted-plugin-surface.md).
   */
  stdin?: string | undefined
  /**
   * Variables that win over every other, credential-shaped or not.
   * For trusted callers: a model's tool never fills it (docs/decisions/0001-trusted-plugin-surface.md).
   */
  env?: Record<string, string> | undefined
  /** On whose behalf; decides where the command runs and who may read a task, nothing else. */
  owner?: OwnerToken | undefined
}

/** A request with all defaults and caps applied by {@link BashExecutor.resolve}. */
export interface BashExecSpec {
  command: string
  /** Absolute directory in the command's own world. */
  workdir: string
  /** Milliseconds; `start` does not apply it. */
  timeoutMs: number
  signal?: AbortSignal
  stdin?: string
  env?: Record<string, string>
  /** Required but nullable, so that a forgotten owner is a visible `undefined`. */
  owner: OwnerToken | undefined
}

/** One stream of a finished command. */
export interface CollectedOutput {
  /** The whole stream, or its tail when `truncated`, decoded as UTF-8. */
  text: string
  /** Whether bytes before `text` were dropped from memory. */
  truncated: boolean
  /** Where the complete stream lies, in the command's own world; absent unless it is complete there. */
  spillPath?: string
  /**
   * The same bytes as `text`, before decoding; present only when they are not valid UTF-8.
   */
  bytes?: Uint8Array
  /** How many bytes the command wrote to this stream. */
  totalBytes?: number
}

/** What one command used, as its world measured it. */
export interface BashUsage {
  /** Milliseconds from start to exit. */
  wallMs: number
  /** Processor milliseconds in user mode, where the world reports it. */
  userCpuMs?: number
  /** Processor milliseconds in the kernel, where the world reports it. */
  systemCpuMs?: number
  /** Largest resident size of one process, in bytes, where the world reports it. */
  maxRssBytes?: number
}

/** Why a command ended or was hindered, when a limit of its world did it. */
export interface BashCause {
  kind: 'out-of-memory' | 'pids-limit' | 'disk-full' | 'session-lost'
  /** One sentence for a person. */
  message: string
  /** Name and value of the limit, e.g. `memoryBytes` and its number. */
  limit?: { name: string; value: number }
}

/** What became of a command's processes when we ended them. */
export interface BashKillReceipt {
  /** The most processes that were found alive and signalled at once. */
  signalledCount: number
  /** Processes left alive; 0 is proof that none is left. */
  remainingCount: number
}

/** Where a command ran, when that was a sandbox. */
export interface BashSandboxFacts {
  /** Such as `docker`. */
  kind: string
  /** Names the session's container. */
  sessionId: string
  /** The image's reference. */
  image: string
}

/** The outcome of one command. Its facts are independent of each other. */
export interface BashRunResult {
  /** Null exactly when a signal ended it. */
  exitCode: number | null
  /** The signal that ended it, else null. */
  signal: NodeJS.Signals | null
  /** Our timer was the first cause of its end. */
  timedOut: boolean
  /** The caller's signal was the first cause of its end. Never both. */
  aborted: boolean
  /** The effective timeout in milliseconds. */
  timeoutMs: number
  stdout: CollectedOutput
  stderr: CollectedOutput
  /** A process that survived the command still held its output when the result was made. */
  outputHeld?: boolean
  /** The signal that ended it left a core dump. */
  coreDumped?: boolean
  /** Present when a timeout or an abort ended its processes. */
  receipt?: BashKillReceipt
  usage?: BashUsage
  cause?: BashCause
  sandbox?: BashSandboxFacts
}

/** A background command. The object is live: its fields change when the command ends. */
export interface BashTask {
  readonly id: BashTaskId
  readonly command: string
  /** `killed` when `kill()` or an abort caused the end, or when it could not be spawned. */
  status: 'running' | 'completed' | 'killed'
  /** Null while running and when a signal ended it. */
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** Resolves when the command has ended and its listeners were told; never rejects. */
  readonly done: Promise<void>
  coreDumped?: boolean
  /** Present when a kill or an abort ended its processes. */
  receipt?: BashKillReceipt
  usage?: BashUsage
  cause?: BashCause
  sandbox?: BashSandboxFacts
}

/** One incremental read of a task's output. */
export interface BashTaskRead {
  task: BashTask
  /** New stdout; then, when there is any, a line `[stderr]` and the new stderr. */
  delta: string
  /** Unread output had slid out of memory: `delta` is the whole retained tail. */
  lossy: boolean
  stdoutSpillPath?: string
  stderrSpillPath?: string
}
