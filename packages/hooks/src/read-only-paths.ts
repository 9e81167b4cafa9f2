import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type HooksConfig, resolveHooksConfig } from './config.ts'
import { liesIn } from './lies-in.ts'

/**
 * The folders of the host that hold hooks and what they run: to be mounted read-only into the world
 * of the commands (`readOnlyPaths` of `dsh-bash-docker`), so that hooks find them and no command can
 * change them. Only those that exist, and none that lies in another.
 *
 * A project's folder is given whole, one step below the project: a folder deeper down could be taken
 * away together with its parent. Of the user's folders only `hooks` is given: they also hold logins.
 *
 * @throws `CONFIG_INVALID`
 */
export function hookReadOnlyPaths(input: HooksConfig = {}): string[] {
  const { claudeCode, codex, projectDirectory, trustProject } = resolveHooksConfig(input)
  const wanted = [
    ...(claudeCode.enabled ? [join(claudeCode.directory, 'hooks'), ...claudeCode.plugins] : []),
    ...(codex.enabled ? [join(codex.directory, 'hooks')] : []),
    ...(claudeCode.enabled && trustProject ? [join(projectDirectory, '.claude')] : []),
    ...(codex.enabled && trustProject ? [join(projectDirectory, '.codex')] : []),
  ]
  const present = [...new Set(wanted)].filter((path) => existsSync(path)).toSorted()
  return present.filter((path) => !present.some((other) => other !== path && liesIn(path, other)))
}
