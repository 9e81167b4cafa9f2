import { LocalBashExecutor, LocalProcessHost } from 'dsh-bash-local'
import { parseConfig } from 'dsh-bash-process'
import { usageError } from '../arguments/usage-error.ts'
import { executorSettings } from './executor-settings.ts'
import { containerOptionNames, type RunValues } from './run-options.ts'
import type { World } from './world.ts'

/**
 * This host, without any confinement: only where `--local` says so.
 *
 * @throws `USAGE` for an option that promises what a host does not give, `TIMEOUT_INVALID`, `CONFIG_INVALID`
 */
export function openLocalWorld(values: RunValues, callerDir: string): World {
  const confining = containerOptionNames.find((name) => values[name] !== undefined)
  if (confining !== undefined) throw usageError(`--local runs on this host, where --${confining} means nothing`)
  const config = parseConfig('bash-local', LocalBashExecutor.Config, executorSettings(values))
  return { host: new LocalProcessHost(config.graceMs), config, workdir: config.cwd ?? callerDir }
}
