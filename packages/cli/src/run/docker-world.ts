import { resolve } from 'node:path'
import {
  type DockerBashConfig,
  DockerProcessHost,
  type ResolvedDockerConfig,
  resolveConfig,
  type SessionObserver,
} from 'dsh-bash-docker'
import { usageError } from '../arguments/usage-error.ts'
import { choice, count, decimal, sizeBytes, user } from '../arguments/values.ts'
import { readEngineChoice } from '../engine/engine-options.ts'
import { executorSettings } from './executor-settings.ts'
import type { RunValues } from './run-options.ts'
import type { World } from './world.ts'

/** A container of its own, made when the command starts. */
export function openDockerWorld(values: RunValues, callerDir: string, observe: SessionObserver): World {
  const config = dockerConfig(values, callerDir)
  return { host: new DockerProcessHost(config, observe), config, workdir: config.cwd }
}

/**
 * The configuration of `dsh-bash-docker` that the options of `run` say.
 *
 * @throws `USAGE`, `TIMEOUT_INVALID`, `CONFIG_INVALID`
 */
export function dockerConfig(values: RunValues, callerDir: string): ResolvedDockerConfig {
  return resolveConfig({
    ...executorSettings(values),
    engine: readEngineChoice(values),
    image: values.image,
    pull: choice('pull', values.pull, ['missing', 'never']),
    transport: choice('transport', values.transport, ['supervisor', 'exec']),
    workspace: workspace(values, callerDir),
    readOnlyPaths: values['read-only-path']?.map((path) => resolve(callerDir, path)),
    network: values.network,
    limits: {
      memoryBytes: sizeBytes('memory', values.memory),
      cpus: decimal('cpus', values.cpus),
      pidsLimit: count('pids', values.pids),
      tmpBytes: sizeBytes('tmp', values.tmp),
      homeBytes: sizeBytes('home', values.home),
      shmBytes: sizeBytes('shm', values.shm),
      spillQuotaBytes: sizeBytes('spill-quota', values['spill-quota']),
      openFiles: count('open-files', values['open-files']),
    },
    user: user('user', values.user),
    inherit: inheritance(values.inherit),
    runtime: values.runtime,
  } satisfies DockerBashConfig)
}

function workspace({ workspace: folder, write }: RunValues, callerDir: string): DockerBashConfig['workspace'] {
  if (folder === 'none') {
    if (write === true) throw usageError('--write without a workspace: there is nothing to write to')
    return { mode: 'none' }
  }
  const path = resolve(callerDir, folder ?? '.')
  return { mode: 'bind', path, access: write === true ? 'read-write' : 'read-only' }
}

function inheritance(text: string | undefined): DockerBashConfig['inherit'] {
  if (text === undefined || text === 'scrubbed' || text === 'none') return text
  return text.split(',')
}
