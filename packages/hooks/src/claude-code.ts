import { join, resolve } from 'node:path'
import type { SandboxError } from 'dsh-bash-error'
import { liesIn } from './lies-in.ts'
import type { ResolvedHooksConfig } from './config.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import type { HookSource } from './handler.ts'
import { type HookTable, readHookTable } from './hook-table.ts'
import { fileProblem } from './problem.ts'

/**
 * The hooks of Claude Code: of its administrator, the user, the project when it is trusted, and the
 * plugins. They add to each other. `disableAllHooks` and `allowManagedHooksOnly` are honoured.
 */
export async function claudeCodeHooks(config: ResolvedHooksConfig): Promise<readonly HookTable[]> {
  const { claudeCode, projectDirectory, trustProject } = config
  if (!claudeCode.enabled) return []
  const projectFile = (name: string): Promise<ConfigFile> =>
    readConfigFile(join(projectDirectory, '.claude', name), projectDirectory)
  const managed = await readConfigFile(claudeCode.managedFile)
  const user = await readConfigFile(join(claudeCode.directory, 'settings.json'))
  const project = trustProject ? await projectFile('settings.json') : undefined
  const local = trustProject ? await projectFile('settings.local.json') : undefined

  const administrator = settingsTable(managed, 'managed')
  if (managed.members?.['disableAllHooks'] === true) return [problemsOnly(administrator)]
  // The nearer file decides, where it says anything.
  const isDisabled = [local, project, user].find((file) => file?.members?.['disableAllHooks'] !== undefined)
  const isOff = managed.members?.['allowManagedHooksOnly'] === true || isDisabled?.members?.['disableAllHooks'] === true
  const others = [
    settingsTable(user, 'user'),
    ...(project === undefined ? [] : [settingsTable(project, 'project')]),
    ...(local === undefined ? [] : [settingsTable(local, 'local')]),
    ...(await Promise.all(claudeCode.plugins.map(pluginTables))).flat(),
  ]
  return [administrator, ...(isOff ? others.map(problemsOnly) : others)]
}

function settingsTable(file: ConfigFile, scope: HookSource['scope']): HookTable {
  return tableOf(file, { dialect: 'claude-code', scope, path: file.path })
}

function tableOf(file: ConfigFile, source: HookSource): HookTable {
  const { handlers, problems } = readHookTable(file.members?.['hooks'], source)
  return { handlers, problems: [...file.problems, ...problems] }
}

function problemsOnly({ problems }: HookTable): HookTable {
  return { handlers: [], problems }
}

/** `hooks/hooks.json`, and what the plugin's manifest names or holds itself. */
async function pluginTables(pluginRoot: string): Promise<HookTable[]> {
  const manifest = await readConfigFile(join(pluginRoot, '.claude-plugin', 'plugin.json'), pluginRoot)
  const sourceOf = (path: string): HookSource => ({ dialect: 'claude-code', scope: 'plugin', path, pluginRoot })
  const named = manifest.members?.['hooks']
  const paths = [join(pluginRoot, 'hooks', 'hooks.json')]
  const problems: SandboxError[] = [...manifest.problems]
  for (const path of [named].flat().filter((entry) => typeof entry === 'string')) {
    const full = resolve(pluginRoot, path)
    if (liesIn(full, pluginRoot)) paths.push(full)
    else problems.push(fileProblem('HOOK_CONFIG_INVALID', manifest, 'hooks', `${path} lies outside of the plugin`))
  }
  const inline = typeof named === 'object' && !Array.isArray(named) ? inlineTable(named) : undefined
  const files = await Promise.all([...new Set(paths)].map((path) => readConfigFile(path, pluginRoot)))
  return [
    { handlers: [], problems },
    ...(inline === undefined ? [] : [readHookTable(inline, sourceOf(manifest.path))]),
    ...files.map((file) => tableOf(file, sourceOf(file.path))),
  ]
}

/** The manifest holds the table, or an object with the table in it as a file would. */
function inlineTable(value: object | null): unknown {
  return value !== null && 'hooks' in value ? value.hooks : value
}
