import type { Capabilities } from 'dsh-bash-conformance'
import { commandMarkerName, maxArgumentBytes } from 'dsh-bash-process'

/** What `bash-docker` can and cannot do over one Docker exec a command. */
export const dockerCapabilities: Capabilities = {
  // The engine reports a death by signal as 128 + n and nothing else.
  exactSignals: false,
  killsSetsid: true,
  // Neither its session nor its environment says whose it is.
  killsEnvScrubbedSetsid: false,
  killsOrphanedDaemon: false,
  killsStopped: true,
  endsSurvivors: true,
  // The engine holds the end of an exec back for two seconds while its output is held, one exec after the other.
  promptAfterExit: false,
  reportsHeldOutput: false,
  lateOutput: false,
  neighboursUndelayed: false,
  reopensStdio: true,
  reportsBytes: true,
  reportsTotalBytes: true,
  reportsUsage: false,
  reportsCause: false,
  withstandsTampering: true,
  withstandsForkBombs: true,
  spillReadable: true,
  readSpill: true,
  privateSpill: true,
  isolated: true,
  sessionPerOwner: true,
  sessionRecovery: true,
  engineRecovery: true,
  inheritsAmbient: 'scrubbed-and-unbound',
  commandMarker: commandMarkerName,
  limits: {
    maxCommandBytes: maxArgumentBytes,
    maxEnvStringBytes: maxArgumentBytes,
    envBytes: { accepted: 900_000, refused: 1_100_000 },
    maxEnvVariables: undefined,
  },
}

/** What `bash-docker` can do by its supervisor: on runc it disclaims nothing. */
export const supervisorCapabilities: Capabilities = {
  ...dockerCapabilities,
  exactSignals: true,
  killsEnvScrubbedSetsid: true,
  killsOrphanedDaemon: true,
  promptAfterExit: true,
  reportsHeldOutput: true,
  lateOutput: true,
  neighboursUndelayed: true,
  reportsUsage: true,
  reportsCause: true,
  commandMarker: undefined,
  limits: {
    maxCommandBytes: maxArgumentBytes,
    maxEnvStringBytes: maxArgumentBytes,
    envBytes: { accepted: 1_000_000, refused: 8_000_000 },
    maxEnvVariables: undefined,
  },
}

/**
 * The same on gVisor, of 2022 and on its ptrace platform. It has no subreaper: a daemon is found because
 * no other command runs beside it, which the suite cannot tell from finding it always.
 */
export const gvisorCapabilities: Capabilities = {
  ...supervisorCapabilities,
  // A full disk is told. But there are no counters of the control group to read, whose limits hold for all of the
  // sandbox: at that of processes gVisor cannot have one more thread, and ends.
  reportsCause: false,
  withstandsForkBombs: false,
}
