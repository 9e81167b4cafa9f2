import { Context } from '@deepseek-ai/cordis'
import { type Capabilities, describeBashExecutor, type HostWorld, hostWorld } from 'dsh-bash-conformance'
import LocalBashExecutor from 'dsh-bash-local'
import { commandMarkerName, maxArgumentBytes } from 'dsh-bash-process'
import { describe, expect, it } from 'vitest'
import { executorUnderTest } from './support/executor-under-test.ts'

/** What `bash-local` can and cannot do on Linux. */
const capabilities: Capabilities = {
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
  spillReadable: true,
  readSpill: true,
  privateSpill: true,
  isolated: false,
  sessionPerOwner: false,
  sessionRecovery: false,
  engineRecovery: false,
  inheritsAmbient: 'scrubbed',
  commandMarker: commandMarkerName,
  limits: {
    maxCommandBytes: maxArgumentBytes,
    maxEnvStringBytes: maxArgumentBytes,
    envBytes: { accepted: 1_000_000, refused: 8_000_000 },
    maxEnvVariables: undefined,
  },
}

let world: HostWorld | undefined

describeBashExecutor(
  { describe, it, expect },
  {
    name: 'bash-local',
    capabilities,
    create: async (config) => {
      world ??= await hostWorld()
      process.env['TMPDIR'] = world.temporaryDirectory
      const ctx = new Context()
      const plugin = await ctx.plugin(LocalBashExecutor, config)
      return executorUnderTest(ctx, plugin, world)
    },
  },
)
