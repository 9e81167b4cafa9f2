/** User and group ids inside the container. */
export interface ContainerUser {
  readonly uid: number
  readonly gid: number
}

/** A folder of the engine's host, seen in the container. */
export interface ContainerMount {
  readonly source: string
  readonly target: string
  readonly readOnly: boolean
}

/** A file system in memory. Its files count as the container's memory. */
export interface ContainerTmpfs {
  readonly path: string
  readonly sizeBytes: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

export interface ContainerUlimit {
  readonly name: string
  readonly soft: number
  readonly hard: number
}

/**
 * What runs as the container's main process: something that only waits for the end of its input, or
 * the supervisor, which runs commands by itself.
 */
export type ContainerMain =
  | { readonly kind: 'wait' }
  | {
      readonly kind: 'supervisor'
      /** The volume that holds the program. */
      readonly volumeName: string
      /** Bytes that all spill files together may take. */
      readonly spillQuotaBytes: number
      /** Commands that may run at once. */
      readonly maxCommands: number
      /** Writable file systems that are looked at when a command fails. */
      readonly watchedPaths: readonly string[]
    }

/** One container, every value decided: nothing in this package has a default for any of them. */
export interface ContainerSpec {
  /** A reference that is on the engine. */
  readonly image: string
  /** Random; names the container and labels it. */
  readonly sessionId: string
  readonly main: ContainerMain
  /** On top of those that say whose it is. */
  readonly labels: Readonly<Record<string, string>>
  /** Stands in the engine's metadata: no secret belongs here. */
  readonly env: Readonly<Record<string, string>>
  readonly workdir: string
  readonly mounts: readonly ContainerMount[]
  readonly tmpfs: readonly ContainerTmpfs[]
  readonly shmBytes: number
  /** Swap adds nothing to it. */
  readonly memoryBytes: number
  readonly cpus: number
  readonly pidsLimit: number
  /** `none`, or the name of a network of the engine. */
  readonly network: string
  /** Of the engine; absent, its default. */
  readonly runtime?: string
  readonly ulimits: readonly ContainerUlimit[]
  readonly hostname: string
  readonly readOnlyRoot: boolean
}
