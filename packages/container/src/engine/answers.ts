import { z } from 'zod'

/**
 * The engine's answers, as far as we read them. They are parsed, not trusted: proxies, other engines
 * and the published types differ from the documentation.
 */
const labels = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {})

export const versionAnswer = z
  .object({
    Version: z.string(),
    ApiVersion: z.string().regex(/^\d+\.\d+$/),
    MinAPIVersion: z.string().optional(),
    Components: z.array(z.object({ Name: z.string(), Version: z.string() })).nullish(),
  })
  .transform((answer) => ({
    engine: answer.Version,
    apiVersion: answer.ApiVersion,
    /** Absent on engines that do not say. */
    oldestApiVersion: answer.MinAPIVersion === '' ? undefined : answer.MinAPIVersion,
    /** Versions by component, such as `containerd` and `runc`, where the engine tells them. */
    components: Object.fromEntries((answer.Components ?? []).map(({ Name, Version }) => [Name, Version])),
  }))
export type EngineVersion = z.infer<typeof versionAnswer>

export const infoAnswer = z
  .object({
    NCPU: z.number(),
    MemTotal: z.number(),
    CgroupVersion: z.string().optional(),
    SecurityOptions: z.array(z.string()).nullish(),
    Runtimes: z.record(z.string(), z.unknown()).nullish(),
    DefaultRuntime: z.string().optional(),
    OSType: z.string(),
    Architecture: z.string(),
    OperatingSystem: z.string(),
    KernelVersion: z.string().optional(),
    Name: z.string().optional(),
    Driver: z.string().optional(),
    DriverStatus: z.array(z.array(z.string())).nullish(),
    DockerRootDir: z.string().optional(),
    InitBinary: z.string().optional(),
    MemoryLimit: z.boolean().optional(),
    SwapLimit: z.boolean().optional(),
    CpuCfsQuota: z.boolean().optional(),
    PidsLimit: z.boolean().optional(),
    Warnings: z.array(z.string()).nullish(),
  })
  .transform((answer) => ({
    cpuCount: answer.NCPU,
    memoryBytes: answer.MemTotal,
    /** `1` or `2`; undefined where the engine does not say. */
    cgroupVersion: answer.CgroupVersion,
    /** Such as `name=seccomp,profile=default`, `name=apparmor`, `name=rootless`, `name=userns`. */
    securityOptions: answer.SecurityOptions ?? [],
    runtimes: Object.keys(answer.Runtimes ?? {}),
    defaultRuntime: answer.DefaultRuntime,
    osType: answer.OSType,
    architecture: answer.Architecture,
    operatingSystem: answer.OperatingSystem,
    kernelVersion: answer.KernelVersion,
    hostname: answer.Name,
    storageDriver: answer.Driver,
    storageStatus: Object.fromEntries((answer.DriverStatus ?? []).map(([name = '', value = '']) => [name, value])),
    /** Where the engine keeps its data, on its own host. */
    rootDir: answer.DockerRootDir,
    initBinary: answer.InitBinary,
    limits: {
      memory: answer.MemoryLimit,
      swap: answer.SwapLimit,
      cpus: answer.CpuCfsQuota,
      pids: answer.PidsLimit,
    },
    warnings: answer.Warnings ?? [],
  }))
export type EngineInfo = z.infer<typeof infoAnswer>

export const createdAnswer = z.object({ id: z.string().min(1) }).transform(({ id }) => id)

export const containerAnswer = z
  .object({
    Id: z.string(),
    Image: z.string(),
    State: z.object({ Status: z.string(), Running: z.boolean(), ExitCode: z.number(), OOMKilled: z.boolean() }),
    Config: z.object({ Image: z.string(), Labels: labels }),
    AppArmorProfile: z.string().optional(),
  })
  .transform((answer) => ({
    id: answer.Id,
    running: answer.State.Running,
    status: answer.State.Status,
    exitCode: answer.State.ExitCode,
    labels: answer.Config.Labels,
    appArmorProfile: answer.AppArmorProfile,
  }))
export type ContainerFacts = z.infer<typeof containerAnswer>

export const waitAnswer = z.object({ StatusCode: z.number().int() }).transform(({ StatusCode }) => StatusCode)

export const containersAnswer = z.array(
  z
    .object({
      Id: z.string(),
      Names: z.array(z.string()).nullish(),
      Image: z.string(),
      Created: z.number(),
      State: z.string(),
      Labels: labels,
    })
    .transform((answer) => ({
      id: answer.Id,
      name: answer.Names?.[0]?.replace(/^\//, ''),
      image: answer.Image,
      createdAt: new Date(answer.Created * 1000),
      state: answer.State,
      labels: answer.Labels,
    })),
)
export type ContainerSummary = z.infer<typeof containersAnswer>[number]

export const execAnswer = z
  .object({ Running: z.boolean(), ExitCode: z.number().int().nullable(), Pid: z.number().int() })
  .transform((answer) => ({
    running: answer.Running,
    /** Null while there is none. */
    exitCode: answer.ExitCode,
    /** As the engine's host numbers it, so of no use inside the container; 0 when no process was ever started. */
    pid: answer.Pid,
  }))
export type ExecFacts = z.infer<typeof execAnswer>

export const imageAnswer = z
  .object({
    Id: z.string(),
    Config: z.object({ Env: z.array(z.string()).nullish(), Labels: labels }).nullish(),
    Architecture: z.string().optional(),
  })
  .transform((answer) => ({ id: answer.Id, env: answer.Config?.Env ?? [], labels: answer.Config?.Labels ?? {} }))
export type ImageFacts = z.infer<typeof imageAnswer>

export const volumesAnswer = z
  .object({
    Volumes: z.array(z.object({ Name: z.string(), CreatedAt: z.string().optional(), Labels: labels })).nullish(),
  })
  .transform((answer) =>
    (answer.Volumes ?? []).map((volume) => ({
      name: volume.Name,
      createdAt: volume.CreatedAt === undefined ? undefined : new Date(volume.CreatedAt),
      labels: volume.Labels,
    })),
  )
export type VolumeSummary = z.infer<typeof volumesAnswer>[number]

export const networksAnswer = z.array(
  z
    .object({ Id: z.string(), Name: z.string(), Created: z.string().optional(), Labels: labels })
    .transform((answer) => ({
      id: answer.Id,
      name: answer.Name,
      createdAt: answer.Created === undefined ? undefined : new Date(answer.Created),
      labels: answer.Labels,
    })),
)
export type NetworkSummary = z.infer<typeof networksAnswer>[number]
