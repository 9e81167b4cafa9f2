import type { Context } from '@deepseek-ai/cordis'
import type { BashExecutor } from 'dsh-bash'
import { DockerProcessHost, type SessionObserver } from 'dsh-bash-docker'
import { loadStandalone, ProcessBashExecutor } from 'dsh-bash-process'
import type { ServedSandbox } from './mcp-settings.ts'
import { WatchedHost } from './watched-host.ts'

/** The executor of one client. Disposing it ends everything that the client started. */
export type ServedBash = BashExecutor & AsyncDisposable

/**
 * An executor of its own: its tasks, its containers and its spill files are out of every other client's
 * reach, and end with it. The engine is first asked when the first command runs.
 */
export function openServedBash({ config, env }: ServedSandbox, observe: SessionObserver): Promise<ServedBash> {
  class DockerBashOfClient extends ProcessBashExecutor {
    constructor(ctx: Context) {
      super(ctx, config, new WatchedHost(new DockerProcessHost(config, observe), env))
    }
  }
  return loadStandalone(DockerBashOfClient, undefined)
}
