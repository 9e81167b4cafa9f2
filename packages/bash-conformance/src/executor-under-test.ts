import type { BashExecutor } from 'dsh-bash'

/** What every executor can be configured with; absent fields keep the executor's own defaults. */
export interface ExecutorConfig {
  /** Default directory of a command, in its own world. */
  cwd?: string
  timeoutMs?: number
  maxTimeoutMs?: number
  maxOutputBytes?: number
  maxSpillBytes?: number
  graceMs?: number
}

/** One process as the world under test shows it. */
export interface WorldProcess {
  /** In whichever pid namespace the world is looked at from. */
  pid: number
  ppid?: number
  /** The letter of `/proc/PID/stat`: `R`, `S`, `T` stopped, `Z` zombie, … */
  state: string
  /** The arguments, joined by single spaces. */
  argv: string
}

/**
 * The world in which the commands run, seen past the executor: a test asks here whether a process
 * or a file is really there, never the executor's own word.
 */
export interface World {
  /** An absolute, writable, initially empty directory in the world of every command. */
  readonly workdir: string
  /** All processes that are alive in the world, those of every session. */
  processes(): Promise<WorldProcess[]>
  /** A file's text, in the session of `owner`; undefined when there is none. */
  fileText(path: string, owner?: string): Promise<string | undefined>
  /** Destroys the session of `owner` under its commands. Present exactly when sessions can be lost. */
  destroySession?(owner: string | undefined): Promise<void>
  /** Takes the engine away until it is restored. Present exactly when there is one to lose. */
  breakEngine?(): Promise<{ restore(): Promise<void> }>
  /**
   * What executors left on the system: processes, containers in any state, temporary files, each
   * named. Asked once, when every executor was disposed.
   */
  leftovers(): Promise<string[]>
  /** Removes what the world itself made, such as its `workdir`. Asked last. */
  close?(): Promise<void>
}

/** A scope of the harness that ends by itself: what was registered through its `bash` ends with it. */
export interface ExecutorScope {
  bash: BashExecutor
  dispose(): Promise<void>
}

/** One executor, loaded and ready. */
export interface ExecutorUnderTest {
  /** As a caller gets it: `ctx.bash`. */
  bash: BashExecutor
  /** A child context of the harness, with its own view of the same executor. */
  childScope(): Promise<ExecutorScope>
  /** Unloads the executor and waits for its teardown. */
  dispose(): Promise<void>
  world: World
}
