import type { Context } from '@deepseek-ai/cordis'
import type { BashExecSpec, BashRunResult, BashTask, BashTaskId, BashTaskRead, CollectedOutput } from 'dsh-bash'
import { LocalBashExecutor, LocalProcessHost } from 'dsh-bash-local'
import {
  executorConfigShape,
  type HostedProcess,
  parseConfig,
  ProcessBashExecutor,
  type ProcessHost,
  type ProcessSinks,
  type ProcessSpec,
} from 'dsh-bash-process'
import { z } from 'zod'
import type { BehaviourName, Capabilities, World } from '../../src/index.ts'

type ExecutorClass = new (ctx: Context, config: object) => LocalBashExecutor | ProcessBashExecutor

/** `bash-local` with one fault, or with one lie in its manifest. */
export interface BrokenExecutor {
  /** What is wrong with it. */
  fault: string
  behaviour: BehaviourName
  executor?: ExecutorClass
  lies?: Partial<Capabilities>
  /** What its world can do besides. */
  world?: Partial<World>
  /** The titles that reject it; every other test of the behaviour has to pass. */
  rejectedBy: readonly string[]
}

/** Changes every spec before it is run or started. */
function withSpec(change: (spec: BashExecSpec) => BashExecSpec): ExecutorClass {
  return class extends LocalBashExecutor {
    override run(spec: BashExecSpec): Promise<BashRunResult> {
      return super.run(change(spec))
    }

    override start(spec: BashExecSpec): BashTask {
      return super.start(change(spec))
    }
  }
}

/** Changes every result of a foreground command. */
function withResult(change: (result: BashRunResult) => BashRunResult): ExecutorClass {
  return class extends LocalBashExecutor {
    override async run(spec: BashExecSpec): Promise<BashRunResult> {
      return change(await super.run(spec))
    }
  }
}

function withOutput(change: (output: CollectedOutput) => CollectedOutput): ExecutorClass {
  return withResult((result) => ({ ...result, stdout: change(result.stdout), stderr: change(result.stderr) }))
}

/** Changes the processes of the host under the executor. */
function withProcess(change: (process: HostedProcess, spec: ProcessSpec) => Partial<HostedProcess>): ExecutorClass {
  return withHost((host) => ({
    spawn: (spec, sinks, cancel) => {
      const process = host.spawn(spec, sinks, cancel)
      const bound: HostedProcess = {
        spawned: process.spawned,
        exited: process.exited,
        drained: process.drained,
        signalTree: (signal) => process.signalTree(signal),
        release: () => process.release(),
        openSpill: (stream) => {
          if (process.openSpill === undefined) throw new Error('no place')
          return process.openSpill(stream)
        },
      }
      return { ...bound, ...change(bound, spec) }
    },
  }))
}

function withSinks(change: (sinks: ProcessSinks) => ProcessSinks): ExecutorClass {
  return withHost((host) => ({ spawn: (spec, sinks, cancel) => host.spawn(spec, change(sinks), cancel) }))
}

function withHost(change: (host: ProcessHost) => Partial<ProcessHost>): ExecutorClass {
  return class extends ProcessBashExecutor {
    constructor(ctx: Context, config: object) {
      const resolved = parseConfig('broken', z.strictObject(executorConfigShape), config)
      const host: ProcessHost = new LocalProcessHost(resolved.graceMs)
      const sound: ProcessHost = {
        spawn: (spec, sinks, cancel) => host.spawn(spec, sinks, cancel),
        readSpill: (path) => host.readSpill(path),
        dispose: () => host.dispose(),
      }
      super(ctx, resolved, { ...sound, ...change(host) })
    }
  }
}

function prefixed(prefix: string): ExecutorClass {
  return withSpec((spec) => ({ ...spec, command: `${prefix}${spec.command}` }))
}

export const brokenExecutors: readonly BrokenExecutor[] = [
  {
    fault: 'does not cap the timeout',
    behaviour: 'resolve',
    executor: class extends LocalBashExecutor {
      override resolve(request: Parameters<LocalBashExecutor['resolve']>[0]): BashExecSpec {
        const spec = super.resolve(request)
        return { ...spec, timeoutMs: request.timeoutMs ?? spec.timeoutMs }
      }
    },
    rejectedBy: [
      'takes the timeout of the request, else the configured one, and caps it',
      'defaults to 120 s and caps at 600 s',
    ],
  },
  {
    fault: 'runs a blank command as one that does nothing',
    behaviour: 'bad-input',
    executor: withSpec((spec) => (spec.command.trim() === '' ? { ...spec, command: ':' } : spec)),
    rejectedBy: ['a blank command'],
  },
  {
    fault: 'gives optional facts as undefined',
    behaviour: 'result-shape',
    executor: withResult((result) => ({ ...result, cause: undefined }) as unknown as BashRunResult),
    rejectedBy: ['has no optional fact with the value undefined'],
  },
  {
    fault: 'keeps seven bits of an exit code',
    behaviour: 'exit-codes',
    executor: withResult((result) => ({
      ...result,
      exitCode: result.exitCode === null ? null : result.exitCode & 127,
    })),
    rejectedBy: ['reports each of the 256 exit codes', 'takes no exit code above 128 for a signal'],
  },
  {
    fault: 'reports a death by signal as 128 + n although it claims exact signals',
    behaviour: 'signals',
    executor: withResult((result) =>
      result.signal === 'SIGTERM' ? { ...result, exitCode: 143, signal: null } : result,
    ),
    rejectedBy: [
      'reports the signal that ended a command, or 128 + n where that is disclaimed',
      'tells death by a signal from an exit with 128 + n exactly when exact signals are claimed',
    ],
  },
  {
    fault: 'trims output',
    behaviour: 'bytes',
    executor: withOutput((output) => ({ ...output, text: output.text.trim() })),
    rejectedBy: ['adds no newline and takes none away', 'keeps a byte order mark', 'keeps the two streams apart'],
  },
  {
    fault: 'adds a newline to standard input',
    behaviour: 'stdin',
    executor: withSpec((spec) => (spec.stdin === undefined ? spec : { ...spec, stdin: `${spec.stdin}\n` })),
    rejectedBy: [
      'is no device and has no bytes when it is the empty string',
      'arrives byte for byte, without a newline of ours, and ends',
      'carries NUL and control characters',
      'is read by a background task too',
      'passes 50 MiB in and out again unchanged',
    ],
  },
  {
    fault: 'joins the two streams',
    behaviour: 'stdio',
    executor: prefixed('exec 2>&1\n'),
    rejectedBy: ['may be duplicated and crossed'],
  },
  {
    fault: 'drops credential-shaped variables of a trusted caller',
    behaviour: 'environment',
    executor: withSpec((spec) => {
      if (spec.env === undefined) return spec
      const kept = Object.entries(spec.env).filter(([name]) => !/key|secret|token|password/i.test(name))
      return { ...spec, env: Object.fromEntries(kept) }
    }),
    rejectedBy: ['honours the trusted environment whatever its names look like'],
  },
  {
    fault: 'passes a hundred variables at most',
    behaviour: 'environment-limits',
    executor: withSpec((spec) =>
      spec.env === undefined ? spec : { ...spec, env: Object.fromEntries(Object.entries(spec.env).slice(0, 100)) },
    ),
    rejectedBy: ['passes many variables, and refuses one more than the manifest allows'],
  },
  {
    fault: 'writes the environment into the command',
    behaviour: 'confidentiality',
    executor: withSpec((spec) => {
      const assignments = Object.entries(spec.env ?? {}).map(([name, value]) => `export ${name}='${value}'\n`)
      return { ...spec, command: assignments.join('') + spec.command }
    }),
    rejectedBy: ['neither a variable nor standard input stands among the arguments of any process'],
  },
  {
    fault: 'runs in the root directory when the workdir is missing',
    behaviour: 'workdir',
    executor: withSpec((spec) => (spec.workdir.includes('missing') ? { ...spec, workdir: '/' } : spec)),
    rejectedBy: ['that does not exist is refused with ENOENT, and nothing runs'],
  },
  {
    fault: 'traces commands',
    behaviour: 'shell',
    executor: prefixed('set -x\n'),
    rejectedBy: ['is bash, not in its POSIX mode, neither login nor interactive'],
  },
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
  {
    fault: 'hides that output is held',
    behaviour: 'held-output',
    executor: withResult(({ outputHeld: _held, ...result }) => result),
    rejectedBy: ['is reported, or the manifest disclaims it'],
  },
  {
    fault: 'drops late output',
    behaviour: 'late-output',
    executor: withProcess((process) => ({
      drained: new Promise<void>((resolve) => {
        void process.exited.then(
          () => setTimeout(resolve, 50),
          () => resolve(),
        )
      }),
    })),
    rejectedBy: ['is read through the task, or the manifest disclaims it'],
  },
  {
    fault: 'keeps one byte less than the cap',
    behaviour: 'output-cap',
    executor: withOutput((output) => (output.truncated ? { ...output, text: output.text.slice(1) } : output)),
    rejectedBy: [
      'drops exactly the first byte of a stream that is one byte longer',
      'keeps the last bytes of a long stream that comes in pieces of every size',
      'counts each stream by itself',
      'cuts by bytes, within a character if need be',
    ],
  },
  {
    fault: 'names no spill file',
    behaviour: 'spill',
    executor: withOutput(({ spillPath: _path, ...output }) => output),
    rejectedBy: [
      'holds the complete stream, for commands and for the host',
      'holds bytes of every value',
      'is one for each stream',
      'may be exactly as long as maxSpillBytes',
      'does not exist for a stream that fits',
      'is gone with the executor',
    ],
  },
  {
    fault: 'denies that its spill files are private',
    behaviour: 'spill-privacy',
    lies: { privateSpill: false },
    rejectedBy: ['by mode: for its user alone, or closed to every user but for reading'],
  },
  {
    fault: 'remembers every byte',
    behaviour: 'flood',
    executor: withSinks((sinks) => ({ ...sinks, stdout: hoarding(sinks.stdout) })),
    rejectedBy: ['takes 200 MiB of stdout, keeps the tail and does not grow'],
  },
  {
    fault: 'gives every command the input of the first',
    behaviour: 'many-at-once',
    executor: class extends LocalBashExecutor {
      private firstInput: string | undefined

      override run(spec: BashExecSpec): Promise<BashRunResult> {
        this.firstInput ??= spec.stdin
        return super.run(this.firstInput === undefined ? spec : { ...spec, stdin: this.firstInput })
      }
    },
    rejectedBy: ['gives each of 40 commands its own input, environment, output and exit code'],
  },
  {
    fault: 'lists tasks from the last to the first',
    behaviour: 'tasks',
    executor: class extends LocalBashExecutor {
      override list(): BashTask[] {
        return super.list().toReversed()
      }
    },
    rejectedBy: ['are listed in the order of their start, finished ones too'],
  },
  {
    fault: 'gives the same output again and again',
    behaviour: 'task-output',
    executor: class extends LocalBashExecutor {
      private readonly texts = new Map<BashTaskId, string>()

      override readOutput(id: BashTaskId): BashTaskRead {
        const read = super.readOutput(id)
        const text = (this.texts.get(id) ?? '') + read.delta
        this.texts.set(id, text)
        return { ...read, delta: text }
      }
    },
    rejectedBy: [
      'comes while the task runs, each part once',
      'joins a character whose bytes come in two reads',
      'is not lossy when everything was read in time, and goes on after a lossy read',
      'stays readable after a kill',
    ],
  },
  {
    fault: 'tells of each task twice',
    behaviour: 'listeners',
    executor: class extends LocalBashExecutor {
      protected override notifyTaskDone(task: BashTask): void {
        super.notifyTaskDone(task)
        super.notifyTaskDone(task)
      }
    },
    rejectedBy: [
      'hear of a completed task, once, and before its done resolves',
      'see the task in its final state',
      'hear of killed tasks and of those that could not be spawned',
      'do not hear of foreground commands',
      'that throw are logged and harm neither the task nor the others',
      'are two when the same function is registered twice',
      'end with the scope that registered them, and only they',
    ],
  },
  {
    fault: 'still lists tasks after its disposal',
    behaviour: 'disposal',
    executor: class extends LocalBashExecutor {
      private readonly everListed: BashTask[] = []

      override start(spec: BashExecSpec): BashTask {
        const task = super.start(spec)
        this.everListed.push(task)
        return task
      }

      override list(): BashTask[] {
        return this.everListed
      }
    },
    rejectedBy: ['empties the list'],
  },
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

function signalOne(pid: number, signal: NodeJS.Signals | 0): number {
  process.kill(pid, signal)
  return 1
}

const hoard: Uint8Array[] = []

function hoarding(sink: ProcessSinks['stdout']): ProcessSinks['stdout'] {
  return {
    write: (chunk) => {
      hoard.push(Uint8Array.from(chunk))
      return sink.write(chunk)
    },
    skip: (byteCount) => sink.skip(byteCount),
    spilled: (path) => sink.spilled(path),
  }
}
