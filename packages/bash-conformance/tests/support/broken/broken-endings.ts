import { type BrokenExecutor, withProcess, withResult, withSpec } from './broken-executor.ts'

/** Faults in how a command is ended, and in what may outlive it. */
export const brokenEndings: readonly BrokenExecutor[] = [
  {
    fault: 'never says that a command timed out',
    behaviour: 'timeout',
    executor: withResult((result) => ({ ...result, timedOut: false })),
    rejectedBy: [
      'ends a command, says so and keeps what it had printed',
      'reports a command that traps TERM and exits 0 as timed out with exit code 0',
      'ends a command that ignores TERM with KILL after the grace',
      'holds the cap of the configuration against the request',
      'applies the configured default to a request that names none',
    ],
  },
  {
    fault: 'runs a command whose caller has aborted already',
    behaviour: 'abort',
    executor: withSpec((spec) => {
      if (spec.signal?.aborted !== true) return spec
      const { signal: _aborted, ...rest } = spec
      return rest
    }),
    rejectedBy: [
      'before the start refuses the command with the reason, and nothing runs',
      'before the start yields a killed task that says why, and nothing runs',
    ],
  },
  {
    fault: 'names both causes',
    behaviour: 'first-cause',
    executor: withResult((result) => ({ ...result, aborted: result.aborted || result.timedOut })),
    rejectedBy: ['is the timeout when the abort comes while the command is ending'],
  },
  {
    fault: 'kills at once',
    behaviour: 'escalation',
    executor: withProcess((process) => ({
      signalTree: (signal) => process.signalTree(signal === 'SIGTERM' ? 'SIGKILL' : signal),
    })),
    rejectedBy: [
      'gives a command its grace to end in its own way',
      'sends TERM to the children as well',
      'wakes a stopped command, so that it can end in its own way',
      'does not kill before the grace is over',
    ],
  },
  {
    fault: 'signals the first process alone',
    behaviour: 'trees',
    executor: withProcess((process) => ({
      signalTree: async (signal) => {
        const { pid = 0 } = await process.spawned
        try {
          return signalOne(pid, signal === 'probe' ? 0 : signal)
        } catch {
          return 0 // it is gone
        }
      },
    })),
    rejectedBy: [
      'the kill takes along every part of a pipeline',
      'the kill takes along a subshell in a subshell',
      'the kill takes along a command substitution',
      'the kill takes along a background child',
      'the kill takes along a coprocess',
      'the kill takes along a child under nohup',
      'the kill takes along a disowned child',
      'the kill takes along a child that closed its streams',
      'the kill takes along an orphan of the same group',
      'the kill takes along a child that ignores TERM when its parent does not',
      'the kill takes along children that are forked while the kill goes on',
      'the timeout takes along the whole tree',
      'the abort takes along the whole tree',
    ],
  },
  {
    fault: 'claims to reach every daemon',
    behaviour: 'escapees',
    lies: { killsOrphanedDaemon: true },
    rejectedBy: ['a daemon without its environment'],
  },
  {
    fault: 'ends what survives a command',
    behaviour: 'survivors',
    executor: withProcess((process) => ({
      exited: process.exited.then(async (exit) => {
        await process.signalTree('SIGKILL')
        return exit
      }),
    })),
    rejectedBy: [
      'stay alive after the result, whether they hold its output or not',
      'stay alive after the end of a task',
      'end with the executor, or the manifest disclaims it',
    ],
  },
]

function signalOne(pid: number, signal: NodeJS.Signals | 0): number {
  process.kill(pid, signal)
  return 1
}
