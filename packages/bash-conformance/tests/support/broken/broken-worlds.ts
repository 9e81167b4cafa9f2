import { type BrokenExecutor, withResult } from './broken-executor.ts'

/** Faults in the world of the commands, and in what is reported of it. */
export const brokenWorlds: readonly BrokenExecutor[] = [
  {
    fault: 'claims a world for each owner',
    behaviour: 'session-state',
    lies: { sessionPerOwner: true },
    rejectedBy: [
      'is not seen by another owner, or the manifest disclaims it',
      'of the empty string is not that of nobody, or the manifest disclaims it',
    ],
  },
  {
    fault: 'can lose a session although it disclaims that',
    behaviour: 'session-loss',
    world: { destroySession: () => Promise.resolve() },
    rejectedBy: ['is possible exactly where recovery is claimed'],
  },
  {
    fault: 'can lose an engine although it disclaims that',
    behaviour: 'engine-loss',
    world: { breakEngine: () => Promise.resolve({ restore: () => Promise.resolve() }) },
    rejectedBy: ['is possible exactly where recovery is claimed'],
  },
  {
    fault: 'claims to be a sandbox',
    behaviour: 'isolation',
    lies: { isolated: true },
    rejectedBy: [
      'no server of the host',
      'no route to a network',
      'no file of the host',
      'no process of the host',
      'no privilege, and no way to gain one',
      'no open descriptor of the host, as a directory to start in',
    ],
  },
  {
    fault: 'claims to measure',
    behaviour: 'usage',
    lies: { reportsUsage: true },
    rejectedBy: [
      'of processor and memory is reported, or the manifest disclaims it',
      'is that of its own command, and of a task too',
    ],
  },
  {
    fault: 'says that processes are left',
    behaviour: 'receipt',
    executor: withResult((result) =>
      result.receipt === undefined ? result : { ...result, receipt: { signalledCount: 0, remainingCount: 1 } },
    ),
    rejectedBy: ['of a timeout says how many were signalled and that none is left'],
  },
  {
    fault: 'names a cause for whatever fails',
    behaviour: 'cause',
    executor: withResult((result) =>
      result.exitCode === 0 ? result : { ...result, cause: { kind: 'disk-full', message: 'who knows' } },
    ),
    rejectedBy: ['is not given for a command that met no limit'],
  },
  {
    fault: 'claims to withstand tampering on the host',
    behaviour: 'tampering',
    lies: { withstandsTampering: true },
    rejectedBy: ['is claimed to be withstood by sandboxes alone'],
  },
]
