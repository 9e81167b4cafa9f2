/** How large a request may be. What is larger is refused before anything starts. */
export interface RequestLimits {
  /** Bytes of the command, as UTF-8; one more is `COMMAND_TOO_LARGE`. Linux allows 131071 in one argument. */
  maxCommandBytes: number
  /** Bytes of one `NAME=value`, as UTF-8; one more is `ENV_TOO_LARGE`. Linux allows 131071. */
  maxEnvStringBytes: number
  /**
   * Bytes of all `NAME=value` of a request's `env`, with a terminator each: a total that is
   * accepted, and one that is `ENV_TOO_LARGE`. They need not be neighbours, since the kernel counts
   * the rest of the environment as well.
   */
  envBytes: { accepted: number; refused: number }
  /** Variables in a request's `env`; one more is `ENV_TOO_LARGE`. Undefined: only their size counts. */
  maxEnvVariables: number | undefined
}

/**
 * What an executor can do where the contract lets executors differ. Each claim is tested, and each
 * disclaimer is tested to be true: a capability that works although it is disclaimed fails the
 * suite, so that no manifest goes stale.
 */
export interface Capabilities {
  /** A command that a signal ends is reported by that signal; without it, by exit code 128 + n. */
  exactSignals: boolean

  /**
   * The kill of a command reaches what left its process group and kept its environment: a group of
   * its own (`set -m`), a session of its own (`setsid`), with or without a living parent.
   */
  killsSetsid: boolean
  /** It reaches a child in a session of its own with an emptied environment, while the child's parent lives. */
  killsEnvScrubbedSetsid: boolean
  /** It reaches such a process even when its parent is gone: the classic daemon. */
  killsOrphanedDaemon: boolean
  /** It reaches processes that are stopped (`SIGSTOP`). */
  killsStopped: boolean
  /** Disposal ends what survived the normal exit of its command. */
  endsSurvivors: boolean

  /** A survivor that holds the output delays the result by no more than `graceMs`, however small that is. */
  promptAfterExit: boolean
  /** The result says that a survivor still held the output (`outputHeld`). */
  reportsHeldOutput: boolean
  /** A task gives what a survivor writes after `graceMs` and after the command's end. */
  lateOutput: boolean
  /** Survivors that hold output delay no other command of their session. */
  neighboursUndelayed: boolean

  /** A command can open `/dev/stdout` and `/dev/stderr` anew. */
  reopensStdio: boolean
  /** A result gives the exact bytes of a stream that is not valid UTF-8 (`bytes`). */
  reportsBytes: boolean
  /** A result gives the length of a truncated stream (`totalBytes`). */
  reportsTotalBytes: boolean

  /** A result and a task say what the command used (`usage`). */
  reportsUsage: boolean
  /** A result says which limit of its world ended or hindered the command (`cause`). */
  reportsCause: boolean
  /** Nothing that a command does to what runs it ends or silences its session. For sandboxes alone. */
  withstandsTampering: boolean
  /** Nor does a command that makes processes without end. For sandboxes alone. */
  withstandsForkBombs: boolean

  /** The session's next command can read a spill path. */
  spillReadable: boolean
  /** The host gets the bytes of a spill by `readSpill`. */
  readSpill: boolean
  /**
   * A spill has a name that cannot be guessed, and lies as a file of mode 0600 in a directory of mode
   * 0700, or where commands can neither list nor change anything.
   */
  privateSpill: boolean

  /** A command reaches no network, no file and no process of the host. */
  isolated: boolean
  /** Each owner has a world of its own: what one leaves in `/tmp`, only its own later commands find. */
  sessionPerOwner: boolean
  /** A session that is destroyed under its commands is reported as lost, and the next command works. */
  sessionRecovery: boolean
  /** So is an engine that goes away and comes back. */
  engineRecovery: boolean

  /**
   * What a command sees of the caller's environment: `scrubbed`, all of it but credential-shaped
   * names; `scrubbed-and-unbound`, also without what belongs to the host (`PATH`, `HOME`, sockets,
   * loader and shell start-up variables), for which the world has its own.
   */
  inheritsAmbient: 'scrubbed' | 'scrubbed-and-unbound'
  /** The one variable that the executor adds to each command, to find its processes by. */
  commandMarker: string | undefined

  limits: RequestLimits
}

/** The capabilities that are a plain yes or no. */
export type CapabilityName = {
  [Name in keyof Capabilities]: Capabilities[Name] extends boolean ? Name : never
}[keyof Capabilities]
