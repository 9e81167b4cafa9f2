import type { ExecutorConfig, ProcessHost } from 'dsh-bash-process'

/** Where the command runs: this host, or a container of its own. */
export interface World {
  host: ProcessHost
  config: ExecutorConfig
  /** Absolute directory in that world. */
  workdir: string
}
