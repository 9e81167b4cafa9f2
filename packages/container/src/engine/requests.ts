/** What we send to create a container: fields and meaning are those of the Docker Engine's API. */
export interface ContainerBody {
  readonly Image: string
  readonly Cmd: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly User: string
  readonly Env: readonly string[]
  readonly WorkingDir: string
  readonly Hostname: string
  readonly Labels: Readonly<Record<string, string>>
  readonly AttachStdin: true
  readonly AttachStdout: true
  readonly AttachStderr: true
  readonly OpenStdin: true
  readonly StdinOnce: true
  readonly Tty: false
  readonly Healthcheck: { readonly Test: readonly ['NONE'] }
  readonly HostConfig: HostConfig
}

/** What we send to create a container that is never started: a way into a volume. */
export interface CarrierBody {
  readonly Image: string
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly User: string
  readonly Env: readonly string[]
  readonly WorkingDir: string
  readonly Labels: Readonly<Record<string, string>>
  readonly NetworkDisabled: true
  readonly HostConfig: { readonly NetworkMode: 'none'; readonly Mounts: readonly VolumeMount[] }
}

export interface HostConfig {
  readonly AutoRemove: true
  readonly Init: boolean
  readonly CapDrop: readonly ['ALL']
  readonly CapAdd: readonly string[]
  readonly SecurityOpt: readonly string[]
  readonly ReadonlyRootfs: boolean
  readonly Privileged: false
  readonly NetworkMode: string
  readonly IpcMode: 'private'
  readonly LogConfig: { readonly Type: 'none' }
  readonly Memory: number
  readonly MemorySwap: number
  readonly NanoCpus: number
  readonly PidsLimit: number
  readonly ShmSize: number
  readonly Tmpfs: Readonly<Record<string, string>>
  readonly Mounts: readonly (BindMount | VolumeMount)[]
  readonly Ulimits: readonly { readonly Name: string; readonly Soft: number; readonly Hard: number }[]
  readonly Runtime?: string
}

export interface VolumeMount {
  readonly Type: 'volume'
  /** Absent: a volume of the container's own, which goes with it. */
  readonly Source?: string
  readonly Target: string
  readonly ReadOnly: boolean
  /** Of a volume that is made for the container. */
  readonly VolumeOptions?: { readonly Labels: Readonly<Record<string, string>> }
}

export interface BindMount {
  readonly Type: 'bind'
  readonly Source: string
  readonly Target: string
  readonly ReadOnly: boolean
  readonly BindOptions: { readonly Propagation: 'rprivate'; readonly NonRecursive: boolean }
}

/** What we send to create an exec. */
export interface ExecBody {
  readonly Cmd: readonly string[]
  readonly Env: readonly string[]
  readonly User: string
  readonly WorkingDir: string
  readonly AttachStdin: boolean
  readonly AttachStdout: true
  readonly AttachStderr: true
  readonly Tty: false
  readonly Privileged: false
}
