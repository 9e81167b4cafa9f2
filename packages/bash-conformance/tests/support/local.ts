import { Context } from '@deepseek-ai/cordis'
import type { BashExecutor } from 'dsh-bash'
import { LocalBashExecutor } from 'dsh-bash-local'
import { type Capabilities, type ExecutorConfig, type ExecutorUnderTest, type HostWorld } from '../../src/index.ts'

/** What `bash-local` can and cannot do on Linux; here it is also the sound executor that others break. */
export const localCapabilities: Capabilities = {
  exactSignals: true,
  killsSetsid: true,
  killsEnvScrubbedSetsid: true,
  // Its parent is gone and so is its marker: nothing on the host says whose it is.
  killsOrphanedDaemon: false,
  killsStopped: true,
  endsSurvivors: true,
  promptAfterExit: true,
  reportsHeldOutput: true,
  lateOutput: true,
  neighboursUndelayed: true,
  // Node hands a child sockets, and Linux opens no socket by name.
  reopensStdio: false,
  reportsBytes: true,
  reportsTotalBytes: true,
  reportsUsage: false,
  reportsCause: false,
  withstandsTampering: false,
  withstandsForkBombs: false,
  spillReadable: true,
  readSpill: true,
  privateSpill: true,
  isolated: false,
  sessionPerOwner: false,
  sessionRecovery: false,
  engineRecovery: false,
  inheritsAmbient: 'scrubbed',
  commandMarker: 'DSH_COMMAND_ID',
  limits: {
    maxCommandBytes: 131_071,
    maxEnvStringBytes: 131_071,
    envBytes: { accepted: 2 ** 20, refused: 2 ** 22 },
    maxEnvVariables: undefined,
  },
}

/** Loads `bash-local`, or what stands in for it, into a harness of its own. */
export async function loadLocal(
  world: HostWorld,
  config: ExecutorConfig,
  executor: new (ctx: Context, config: object) => BashExecutor = LocalBashExecutor,
): Promise<ExecutorUnderTest> {
  const ctx = new Context()
  process.env['TMPDIR'] = world.temporaryDirectory
  const plugin = await ctx.plugin(executor, config)
  return {
    bash: ctx.bash,
    childScope: async () => {
      let bash = ctx.bash
      const apply = (child: Context): void => void (bash = child.bash)
      const scope = await ctx.plugin({ name: 'child-scope', inject: ['bash'], apply })
      return { bash, dispose: () => scope.dispose() }
    },
    dispose: () => plugin.dispose(),
    world,
  }
}
