import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { SandboxError } from 'dsh-bash-error'
import {
  type HostedProcess,
  type OutputSink,
  type ProcessExit,
  type ProcessHost,
  type ProcessSpec,
  refusedProcess,
  scrubCredentialNames,
  SpillDirectory,
  spillUnavailable,
  terminalOverrides,
  type TreeSignal,
} from 'dsh-bash-process'

/**
 * The least that keeps the contract on a local machine: a command is its process group and nothing
 * more. What leaves the group is lost, and the manifest says so.
 */
export class GroupHost implements ProcessHost {
  private readonly spills = new SpillDirectory()

  spawn(spec: ProcessSpec, sinks: { stdout: OutputSink; stderr: OutputSink }): HostedProcess {
    if (statSync(spec.workdir, { throwIfNoEntry: false })?.isDirectory() !== true) {
      return refusedProcess(new SandboxError('WORKDIR_NOT_FOUND', `ENOENT: no such directory: ${spec.workdir}`))
    }
    try {
      return hosted(startBash(spec), spec.stdin, sinks, this.spills)
    } catch (error) {
      return refusedProcess(new SandboxError('ENV_TOO_LARGE', 'the environment is too large', { cause: error }))
    }
  }

  readSpill(path: string): AsyncIterable<Uint8Array> {
    if (!this.spills.has(path)) throw spillUnavailable(path)
    return this.spills.read(path)
  }

  dispose(): Promise<void> {
    this.spills.remove()
    return Promise.resolve()
  }
}

/** @throws E2BIG */
function startBash({ command, workdir, env, stdin }: ProcessSpec): ChildProcess {
  return spawn('/bin/bash', ['-c', '--', command], {
    argv0: 'bash',
    cwd: workdir,
    env: { ...scrubCredentialNames(process.env), ...terminalOverrides, ...env },
    detached: true,
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
}

function hosted(
  child: ChildProcess,
  stdin: string | undefined,
  sinks: { stdout: OutputSink; stderr: OutputSink },
  spills: SpillDirectory,
): HostedProcess {
  const pid = child.pid as number
  child.stdout?.on('data', (chunk: Buffer) => sinks.stdout.write(chunk))
  child.stderr?.on('data', (chunk: Buffer) => sinks.stderr.write(chunk))
  // EPIPE: the command does not read its input, which is its business.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(stdin)
  child.once('exit', () => child.stdin?.destroy())
  return {
    spawned: Promise.resolve({ pid }),
    exited: new Promise<ProcessExit>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    }),
    drained: new Promise<void>((resolve) => {
      child.once('close', () => resolve())
    }),
    signalTree: (signal) => Promise.resolve(signalGroup(pid, signal)),
    openSpill: (stream) => spills.open(stream),
    release: () => {
      child.stdout?.removeAllListeners('data').resume()
      child.stderr?.removeAllListeners('data').resume()
    },
  }
}

function signalGroup(pid: number, signal: TreeSignal): number {
  try {
    process.kill(-pid, signal === 'probe' ? 0 : signal)
    if (signal === 'SIGTERM') process.kill(-pid, 'SIGCONT')
    return 1
  } catch {
    return 0 // ESRCH: nobody is left in the group
  }
}
