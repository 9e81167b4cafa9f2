import { type ExecutorConfig, executorConfigShape, parseConfig } from 'dsh-bash-process'
import { DEFAULT_IMAGE } from 'dsh-container'
import { z } from 'zod'

const absolutePath = z.string().regex(/^\/[^\0]*$/, 'must be an absolute path without NUL')
const byteCount = z.number().int().positive()
const mebibyte = 1024 * 1024

/** Whether commands may change the workspace. Read-only unless a deployment says otherwise. */
const access = z.enum(['read-only', 'read-write']).default('read-only')

const workspaceSchema = z.discriminatedUnion('mode', [
  /** No folder of the host is seen. */
  z.strictObject({ mode: z.literal('none') }),
  /** One folder for every session, at the same absolute path inside. Default: `cwd`. */
  z.strictObject({ mode: z.literal('bind'), path: absolutePath.optional(), access }),
  /**
   * The directory of each session's first command. A model may have chosen that directory, so the
   * deployment says which folders it may be in.
   */
  z.strictObject({ mode: z.literal('bind-first-workdir'), within: z.array(absolutePath).min(1), access }),
])

const limitsSchema = z.strictObject({
  /** Memory of a session, files in its tmpfs included, in bytes; swap adds nothing. */
  memoryBytes: byteCount.min(6 * mebibyte).default(2048 * mebibyte),
  /** Processors' worth of time; capped at what the engine has. */
  cpus: z.number().positive().default(2),
  /** Processes and threads of a session. */
  pidsLimit: z.number().int().min(16).default(1024),
  /** Size of `/tmp` and of `/var/tmp`, in bytes, each. */
  tmpBytes: byteCount.default(512 * mebibyte),
  /** Size of the home directory, in bytes. */
  homeBytes: byteCount.default(256 * mebibyte),
  /** Size of `/dev/shm`, in bytes. */
  shmBytes: byteCount.default(64 * mebibyte),
  /** Spill files of a session together, in bytes, on the engine's disk; the oldest finished ones go first. */
  spillQuotaBytes: byteCount.default(4096 * mebibyte),
  /** Commands of a session that may run at once. */
  maxCommands: z.number().int().min(1).max(65_536).default(256),
  /** Open files of one process; absent, what the engine gives. It cannot give more than it has itself. */
  openFiles: z.number().int().positive().optional(),
})

const userSchema = z.strictObject({ uid: z.number().int().min(0), gid: z.number().int().min(0) })

export const configSchema = z.strictObject({
  ...executorConfigShape,
  /** Which engine; without a choice the environment and the known sockets decide (docs/engine.md). */
  engine: z
    .strictObject({
      host: z.string().min(1).optional(),
      context: z.string().min(1).optional(),
      connectTimeoutMs: z.number().positive().optional(),
    })
    .default({}),
  /** Image reference: present, else pulled, else, for the default image, built. */
  image: z.string().min(1).default(DEFAULT_IMAGE),
  pull: z.enum(['missing', 'never']).default('missing'),
  /**
   * How commands reach the container: by a supervisor that is its main process, or by one Docker exec
   * each, which needs nothing of ours in the container and has the limits of the engine's exec.
   */
  transport: z.enum(['supervisor', 'exec']).default('supervisor'),
  workspace: workspaceSchema.default({ mode: 'bind', access: 'read-only' }),
  /**
   * Further files and folders of the host that commands see, read-only, at the same absolute path: such
   * as what a trusted plugin runs. Over the workspace where they lie in it.
   */
  readOnlyPaths: z.array(absolutePath).default([]),
  /** `none`, or the name of a network of the engine. */
  network: z.string().min(1).default('none'),
  limits: limitsSchema.default(limitsSchema.parse({})),
  /** User and group of the commands. Default: the workspace's owner. */
  user: userSchema.optional(),
  /**
   * User and group of commands that carry a trusted caller's `env` or `stdin`, so that the other
   * commands of the session can read neither. Needs the supervisor.
   */
  trustedUser: userSchema.optional(),
  /** Sessions that are kept started, for owners yet to come. Needs the supervisor and a fixed workspace. */
  spareSessions: z.number().int().min(0).max(16).default(0),
  /** What commands get of the harness's environment: scrubbed, none, or these names verbatim. */
  inherit: z.union([z.enum(['scrubbed', 'none']), z.array(z.string().min(1))]).default('scrubbed'),
  /** Milliseconds after which a session in which nothing runs is ended. */
  idleMs: z.number().positive().max(2_147_483_647).default(900_000),
  /** OCI runtime of the engine, such as `runsc`; absent, the engine's default. */
  runtime: z.string().min(1).optional(),
})

/** What a deployment may set; every field has a documented default. Nothing a model says changes it. */
export type DockerBashConfig = z.input<typeof configSchema>

type ParsedConfig = z.output<typeof configSchema>

/** Where the workspace of a session comes from, all defaults filled in. */
export type WorkspaceConfig =
  | Extract<ParsedConfig['workspace'], { mode: 'none' | 'bind-first-workdir' }>
  | { mode: 'bind'; path: string; access: 'read-only' | 'read-write' }

export interface ResolvedDockerConfig extends ExecutorConfig, Omit<ParsedConfig, 'cwd' | 'workspace'> {
  cwd: string
  workspace: WorkspaceConfig
}

/** Home directory of the commands, in every image. */
export const homeDirectory = '/home/sandbox'

/**
 * Reads a configuration, all defaults filled in.
 *
 * @throws `CONFIG_INVALID`
 */
export function resolveConfig(input: unknown): ResolvedDockerConfig {
  const config = parseConfig('bash-docker', configSchema, input)
  const { workspace } = config
  if (workspace.mode === 'none') return { ...config, workspace, cwd: config.cwd ?? homeDirectory }
  if (workspace.mode === 'bind-first-workdir') return { ...config, workspace, cwd: config.cwd ?? process.cwd() }
  const path = workspace.path ?? config.cwd ?? process.cwd()
  return { ...config, workspace: { ...workspace, path }, cwd: config.cwd ?? path }
}
