import type { Context } from '@deepseek-ai/cordis'
import type { BashExecSpec, BashRunResult, BashTask, CollectedOutput } from 'dsh-bash'
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
import type { BehaviourName, Capabilities, World } from '../../../src/index.ts'

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
export function withSpec(change: (spec: BashExecSpec) => BashExecSpec): ExecutorClass {
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
export function withResult(change: (result: BashRunResult) => BashRunResult): ExecutorClass {
  return class extends LocalBashExecutor {
    override async run(spec: BashExecSpec): Promise<BashRunResult> {
      return change(await super.run(spec))
    }
  }
}

export function withOutput(change: (output: CollectedOutput) => CollectedOutput): ExecutorClass {
  return withResult((result) => ({ ...result, stdout: change(result.stdout), stderr: change(result.stderr) }))
}

/** Changes the processes of the host under the executor. */
export function withProcess(
  change: (process: HostedProcess, spec: ProcessSpec) => Partial<HostedProcess>,
): ExecutorClass {
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

export function withSinks(change: (sinks: ProcessSinks) => ProcessSinks): ExecutorClass {
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

export function prefixed(prefix: string): ExecutorClass {
  return withSpec((spec) => ({ ...spec, command: `${prefix}${spec.command}` }))
}
