import { join } from 'node:path'
import { z } from 'zod'
import type { ResolvedHooksConfig } from './config.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import type { HookSource } from './handler.ts'
import { type HookTable, readHookTable } from './hook-table.ts'
import { fileProblem } from './problem.ts'

/**
 * The hooks of Codex: `hooks.json` and the tables of `config.toml`, of the user and, when it is trusted,
 * of the project; and the user's `notify` program. They add to each other.
 */
export async function codexHooks(config: ResolvedHooksConfig): Promise<readonly HookTable[]> {
  const { codex, projectDirectory, trustProject } = config
  if (!codex.enabled) return []
  const read = async (directory: string, within?: string): Promise<[ConfigFile, ConfigFile]> => [
    await readConfigFile(join(directory, 'config.toml'), within),
    await readConfigFile(join(directory, 'hooks.json'), within),
  ]
  const [userConfig, userHooks] = await read(codex.directory)
  const project = trustProject ? await read(join(projectDirectory, '.codex'), projectDirectory) : []
  const tables = [
    ...[userConfig, userHooks].map((file) => fileTable(file, 'user')),
    ...project.map((file) => fileTable(file, 'project')),
  ]
  const isOff = [project[0], userConfig].map(hooksFeature).find((feature) => feature !== undefined) === false
  return [...tables.map((table) => (isOff ? { ...table, handlers: [] } : table)), notifyTable(userConfig)]
}

function fileTable(file: ConfigFile, scope: HookSource['scope']): HookTable {
  const { handlers, problems } = readHookTable(file.members?.['hooks'], sourceOf(file, scope))
  return { handlers, problems: [...file.problems, ...problems] }
}

function sourceOf({ path }: ConfigFile, scope: HookSource['scope']): HookSource {
  return { dialect: 'codex', scope, path }
}

const featuresSchema = z.looseObject({ hooks: z.boolean().optional(), codex_hooks: z.boolean().optional() })

/** The switch of `config.toml`, by its name or by the older one. */
function hooksFeature(file: ConfigFile | undefined): boolean | undefined {
  const features = featuresSchema.safeParse(file?.members?.['features']).data
  return features?.hooks ?? features?.codex_hooks
}

const notifySchema = z.tuple([z.string().min(1)], z.string())

/** The program that is told of the end of a turn; it is no hook, and the switch of hooks is not for it. */
function notifyTable(file: ConfigFile): HookTable {
  const notify = file.members?.['notify']
  if (notify === undefined) return { handlers: [], problems: [] }
  const source = sourceOf(file, 'user')
  const parsed = notifySchema.safeParse(notify)
  if (!parsed.success) {
    const problem = fileProblem(
      'HOOK_CONFIG_INVALID',
      source,
      'notify',
      'it is not a list of a program and its arguments',
    )
    return { handlers: [], problems: [problem] }
  }
  const [command, ...args] = parsed.data
  const handler = {
    source,
    event: 'AgentTurnComplete',
    matcher: undefined,
    command,
    args,
    timeoutMs: undefined,
    isAsync: true,
    rule: undefined,
    payload: 'argument',
  } as const
  return { handlers: [handler], problems: [] }
}
