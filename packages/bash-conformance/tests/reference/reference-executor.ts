import { Context } from '@deepseek-ai/cordis'
import type { BashExecutor } from 'dsh-bash'
import { ProcessBashExecutor, type ProcessHost } from 'dsh-bash-process'
import type { Capabilities, ExecutorConfig, ExecutorUnderTest, World } from '../../src/index.ts'

const defaults = {
  timeoutMs: 120_000,
  maxTimeoutMs: 600_000,
  maxOutputBytes: 64_000,
  maxSpillBytes: 2 ** 30,
  graceMs: 3000,
}

/** What the reference executor claims. Each broken one makes the same claims unless it says otherwise. */
export const referenceCapabilities: Capabilities = {
  exactSignals: true,
  killsSetsid: false,
  killsEnvScrubbedSetsid: false,
  killsOrphanedDaemon: false,
  killsStopped: true,
  endsSurvivors: false,
  promptAfterExit: true,
  reportsHeldOutput: true,
  lateOutput: true,
  neighboursUndelayed: true,
  reopensStdio: false,
  reportsBytes: true,
  reportsTotalBytes: true,
  spillReadable: true,
  readSpill: true,
  privateSpill: true,
  isolated: false,
  sessionPerOwner: false,
  sessionRecovery: false,
  engineRecovery: false,
  inheritsAmbient: 'scrubbed',
  commandMarker: undefined,
  limits: {
    maxCommandBytes: 131_071,
    maxEnvStringBytes: 131_071,
    envBytes: { accepted: 2 ** 20, refused: 2 ** 23 },
    maxEnvVariables: undefined,
  },
}

/** Loads an executor over `host` into a harness of its own; `present` is how its callers see it. */
export async function loadExecutor(
  host: ProcessHost,
  config: ExecutorConfig,
  world: World,
  present: (bash: BashExecutor) => BashExecutor = (bash) => bash,
): Promise<ExecutorUnderTest> {
  class ReferenceExecutor extends ProcessBashExecutor {
    constructor(ctx: Context) {
      super(ctx, { ...defaults, ...config }, host)
    }
  }
  const ctx = new Context()
  const plugin = await ctx.plugin(ReferenceExecutor)
  return {
    bash: present(ctx.bash),
    childScope: async () => {
      let bash = ctx.bash
      const apply = (child: Context): void => void (bash = child.bash)
      const scope = await ctx.plugin({ name: 'child-scope', inject: ['bash'], apply })
      return { bash: present(bash), dispose: () => scope.dispose() }
    },
    dispose: () => plugin.dispose(),
    world,
  }
}
