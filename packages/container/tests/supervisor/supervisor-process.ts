import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandSpec } from '../../src/supervisor/frame-encoder.ts'
import type { CommandExit, StreamEnd } from '../../src/supervisor/frame-payloads.ts'
import type { SupervisedCommand } from '../../src/supervisor/supervised-command.ts'
import { SupervisorConnection } from '../../src/supervisor/supervisor-connection.ts'

/** A leak check traces its process, which the supervisor forbids. */
const sanitizerEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', ASAN_OPTIONS: 'detect_leaks=0' }

/** The supervisor's sources. */
export const sourceDirectory = fileURLToPath(new URL('../../../../docker/supervisor', import.meta.url))

/** Builds one variant of the supervisor into a folder that other users can reach. */
export function buildSupervisor(
  target: 'amd64' | 'arm64' | 'sanitized' | 'unit' | 'corpus' | 'files-unit' | 'files-corpus' | 'without-tmpfile',
): {
  path: string
  remove: () => void
} {
  const folder = mkdtempSync(join(tmpdir(), 'supervisor-build-'))
  chmodSync(folder, 0o755)
  const path = join(folder, target)
  execFileSync(join(sourceDirectory, 'build.sh'), [target, path], { stdio: 'inherit' })
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Starts a supervisor as process 1 of a pid namespace of its own, with pipes for its standard streams.
 *
 * @param emulator what runs programs of another processor, and its arguments
 */
export function spawnAsProcessOne(
  binary: string,
  options: readonly string[] = [],
  emulator: readonly string[] = [],
): ChildProcessWithoutNullStreams {
  const isolate = ['--pid', '--fork', '--mount-proc', '--kill-child', ...emulator, binary]
  return spawn('unshare', [...isolate, ...options], { stdio: 'pipe', env: sanitizerEnv })
}

/** Where commands of a test run. */
export interface CommandHost {
  readonly connection: SupervisorConnection
}

/** A supervisor as process 1 of a pid namespace of this machine. */
export class SupervisorProcess implements CommandHost, AsyncDisposable {
  readonly connection: SupervisorConnection
  readonly binary: string
  readonly child: ChildProcessWithoutNullStreams
  readonly spillDirectory: string
  readonly exit: Promise<number | null>
  stderr = ''

  /** @param emulator what runs programs of another processor, and its arguments */
  constructor(binary: string, options: readonly string[] = [], emulator: readonly string[] = []) {
    this.spillDirectory = mkdtempSync(join(tmpdir(), 'supervisor-spill-'))
    chmodSync(this.spillDirectory, 0o711)
    const spill = ['--spill-directory', this.spillDirectory]
    const quota = options.includes('--spill-quota-bytes') ? [] : ['--spill-quota-bytes', `${256 * 1024 * 1024}`]
    this.binary = binary
    this.child = spawnAsProcessOne(binary, [...spill, ...quota, ...options], emulator)
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.exit = new Promise((resolve) => this.child.on('exit', resolve))
    this.connection = new SupervisorConnection(this.child.stdout, this.child.stdin)
  }

  /** The supervisor's own pid as this machine sees it. */
  get pid(): number {
    const [pid] = childrenOf(this.child.pid!)
    if (pid === undefined) throw new Error('the supervisor does not run')
    return pid
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connection.close()
    await this.exit
    rmSync(this.spillDirectory, { recursive: true, force: true })
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

/** Every process below `pid` that is not a zombie, with its command line, as this machine sees it. */
export function processesBelow(pid: number): { pid: number; comm: string; state: string }[] {
  const parents = new Map<number, { parent: number; comm: string; state: string }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state === 'Z') continue
      parents.set(Number(name), {
        state,
        parent: Number(parent),
        comm: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      })
    } catch {
      // It ended while we looked.
    }
  }
  const below = (at: number): boolean => {
    const entry = parents.get(at)
    return entry !== undefined && (entry.parent === pid || below(entry.parent))
  }
  return [...parents].filter(([at]) => below(at)).map(([at, { comm, state }]) => ({ pid: at, comm, state }))
}

/** Whether a process of this name sleeps below the supervisor: it has become that program, and is not stopped. */
export function sleeps(supervisor: SupervisorProcess, name: string): boolean {
  return processesBelow(supervisor.pid).some(({ comm, state }) => comm === name && state === 'S')
}

const nobody = 4242

export function commandSpec(command: string, changes: Partial<CommandSpec> = {}): CommandSpec {
  return {
    argv: ['bash', '-c', command],
    workdir: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    uid: nobody,
    gid: nobody,
    umask: 0o022,
    hasStdin: false,
    maxOutputBytes: 64_000,
    maxSpillBytes: 64 * 1024 * 1024,
    isLossless: false,
    resourceLimits: [],
    ...changes,
  }
}

/** Collects one stream. */
export class Collector {
  bytes = 0
  skipped = 0
  private readonly chunks: Buffer[] = []

  spillPath: string | undefined

  spilled(path: string | undefined): void {
    this.spillPath = path
  }

  write(chunk: Uint8Array): void {
    this.bytes += chunk.length
    this.chunks.push(Buffer.from(chunk))
  }

  skip(byteCount: number): void {
    this.skipped += byteCount
  }

  get content(): Buffer {
    return Buffer.concat(this.chunks)
  }

  get text(): string {
    return this.content.toString('utf8')
  }
}

export interface RunningCommand {
  command: SupervisedCommand
  stdout: Collector
  stderr: Collector
}

export function start(supervisor: CommandHost, command: string, changes: Partial<CommandSpec> = {}): RunningCommand {
  const stdout = new Collector()
  const stderr = new Collector()
  const spec = commandSpec(command, changes)
  return { command: supervisor.connection.spawn(spec, { stdout, stderr }), stdout, stderr }
}

export interface RunResult {
  exit: CommandExit
  stdout: string
  stderr: string
  ends: { stdout: StreamEnd; stderr: StreamEnd }
}

export async function run(
  supervisor: CommandHost,
  command: string,
  changes: Partial<CommandSpec> = {},
): Promise<RunResult> {
  const running = start(supervisor, command, changes)
  const exit = await running.command.exited
  const ends = await running.command.drained
  return { exit, ends, stdout: running.stdout.text, stderr: running.stderr.text }
}

/** Resolves when `condition` holds; polls, for at most `timeoutMs`. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${condition.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
