import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { messageOf, SandboxError } from 'dsh-bash-error'
import {
  bashArguments,
  type HostedProcess,
  type OutputSink,
  type ProcessExit,
  type ProcessSinks,
  type SpawnFacts,
  type SpillFile,
  type TreeSignal,
} from 'dsh-bash-process'
import type { ProcessTree } from './process-tree.ts'

export interface LocalProcessSpec {
  bashPath: string
  command: string
  workdir: string
  env: Record<string, string>
  stdin: string | Readable | undefined
}

/** One `bash -c` of this host, leader of its own session and process group. */
export class LocalProcess implements HostedProcess {
  readonly spawned: Promise<SpawnFacts>
  readonly exited: Promise<ProcessExit>
  readonly drained: Promise<void>
  private readonly child: ChildProcess
  private readonly tree: ProcessTree
  private readonly openSpillFile: (stream: 'stdout' | 'stderr') => SpillFile

  /** @throws `WORKDIR_NOT_FOUND`, `SHELL_NOT_FOUND`, `ENV_TOO_LARGE`, `SPAWN_FAILED` */
  constructor(
    spec: LocalProcessSpec,
    sinks: ProcessSinks,
    treeOf: (leaderPid: number) => ProcessTree,
    openSpillFile: (stream: 'stdout' | 'stderr') => SpillFile,
  ) {
    assertDirectory(spec.workdir)
    this.child = startBash(spec)
    const pid = this.child.pid
    if (pid === undefined) {
      const refused = new Promise<never>((_resolve, reject) => {
        this.child.once('error', (error) => reject(spawnError(error)))
      })
      refused.catch(() => undefined) // the outcome of the command carries it
      this.spawned = refused
      this.exited = refused
      this.drained = Promise.resolve()
    } else {
      this.spawned = Promise.resolve({ pid })
      this.exited = exitOf(this.child)
      this.drained = closeOf(this.child)
      this.feed(spec.stdin, sinks)
    }
    this.tree = treeOf(pid ?? -1)
    this.openSpillFile = openSpillFile
  }

  signalTree(signal: TreeSignal): Promise<number> {
    return Promise.resolve(this.tree.signal(signal))
  }

  openSpill(stream: 'stdout' | 'stderr'): SpillFile {
    return this.openSpillFile(stream)
  }

  release(): void {
    for (const stream of [this.child.stdout, this.child.stderr] as (Socket | null)[]) {
      if (stream === null || stream.destroyed) continue
      // Closing the pipe would kill a survivor that writes: what it says is read and dropped.
      stream.removeAllListeners('data')
      stream.resume()
      stream.unref()
    }
  }

  private feed(stdin: string | Readable | undefined, sinks: ProcessSinks): void {
    const { child } = this
    deliver(child.stdout, sinks.stdout)
    deliver(child.stderr, sinks.stderr)
    if (child.stdin === null || stdin === undefined) return
    // EPIPE: the command does not read its input, which is its business.
    child.stdin.on('error', () => undefined)
    if (typeof stdin === 'string') child.stdin.end(stdin)
    else supply(stdin, child.stdin)
    // An unread rest must not hold the pipe, or this process, once the command is gone.
    child.once('exit', () => {
      child.stdin?.destroy()
      if (typeof stdin !== 'string') stdin.destroy()
    })
  }
}

/** Reads a pipe as fast as its sink takes the bytes. */
function deliver(pipe: Readable | null, sink: OutputSink): void {
  pipe?.on('data', (chunk: Buffer) => {
    const room = sink.write(chunk)
    if (room === undefined) return
    pipe.pause()
    void room.then(() => pipe.resume())
  })
}

function supply(source: Readable, input: Writable): void {
  source.once('error', () => input.end())
  source.pipe(input)
}

function assertDirectory(workdir: string): void {
  const stat = statSync(workdir, { throwIfNoEntry: false })
  if (stat?.isDirectory() === true) return
  const problem = stat === undefined ? 'ENOENT: no such directory' : 'ENOTDIR: not a directory'
  throw new SandboxError('WORKDIR_NOT_FOUND', `${problem}: ${workdir}`, { context: { workdir } })
}

function startBash(spec: LocalProcessSpec): ChildProcess {
  try {
    const [argv0, ...args] = bashArguments(spec.command)
    return spawn(spec.bashPath, args, {
      argv0,
      cwd: spec.workdir,
      env: spec.env,
      detached: true,
      stdio: [spec.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw spawnError(error)
  }
}

function spawnError(error: unknown): SandboxError {
  const { code } = error as NodeJS.ErrnoException
  const context = { errno: code }
  if (code === 'E2BIG') {
    return new SandboxError('ENV_TOO_LARGE', 'the environment and the command together are too large', {
      context,
      cause: error,
    })
  }
  return new SandboxError('SPAWN_FAILED', `bash could not be started: ${messageOf(error)}`, { context, cause: error })
}

function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
}

function closeOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
  })
}
