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

/** One container, every value decided: nothing in this package has a default for any of them. */
export interface ContainerSpec {
  /** A reference that is on the engine. */
  readonly image: string
  /** Random; names the container and labels it. */
  readonly sessionId: string
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
