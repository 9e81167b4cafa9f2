import { type ExecutorConfig, executorConfigShape, inheritanceSchema, parseConfig } from 'dsh-bash-process'
import { homeDirectory, sandboxConfigShape, userSchema } from 'dsh-container'
import { z } from 'zod'

const absolutePath = z.string().regex(/^\/[^\0]*$/, 'must be an absolute path without NUL')

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

export const configSchema = z.strictObject({
  ...executorConfigShape,
  ...sandboxConfigShape,
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
  /**
   * User and group of commands that carry a trusted caller's `env` or `stdin`, so that the other
   * commands of the session can read neither. Needs the supervisor.
   */
  trustedUser: userSchema.optional(),
  /** Sessions that are kept started, for owners yet to come. Needs the supervisor and a fixed workspace. */
  spareSessions: z.number().int().min(0).max(16).default(0),
  /** What commands get of the harness's environment: scrubbed, none, or these names verbatim. */
  inherit: inheritanceSchema.default('scrubbed'),
  /** Milliseconds after which a session in which nothing runs is ended. */
  idleMs: z.number().positive().max(2_147_483_647).default(900_000),
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
