import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export const mainPath = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface CliOptions {
  cwd: string
  /** On top of this process's own; undefined takes one away. */
  env?: Record<string, string | undefined>
  /** What it gets on standard input, or `open` for a pipe of the test's; without it, there is none. */
  stdin?: Uint8Array | 'open'
  /** Where standard output goes; a pipe of the test's without it. */
  stdoutFd?: number
}

/** How a run of the program ended. */
export interface CliEnd {
  /** Null when a signal ended it. */
  status: number | null
  signal: NodeJS.Signals | null
  stdout: Buffer
  stderr: string
}

/** The program as its user starts it. */
export function startCli(args: readonly string[], { cwd, env, stdin, stdoutFd }: CliOptions): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=bash-docker-source', mainPath, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', stdoutFd ?? 'pipe', 'pipe'],
  })
  child.stdin?.on('error', () => undefined) // it may read no further
  if (stdin instanceof Uint8Array) child.stdin?.end(stdin)
  return child
}

/** Waits for its end, and takes everything that it prints. */
export async function endOf(child: ChildProcess): Promise<CliEnd> {
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  const [stdout, stderr, [status, signal]] = await Promise.all([
    child.stdout === null ? Buffer.alloc(0) : buffer(child.stdout),
    buffer(child.stderr as Readable),
    closed,
  ])
  return { status, signal, stdout, stderr: stderr.toString('utf8') }
}

export function cli(args: readonly string[], options: CliOptions): Promise<CliEnd> {
  return endOf(startCli(args, options))
}

/** What it printed with `--json`: one value on one line. */
export function jsonOf({ stdout }: CliEnd): Record<string, unknown> {
  const text = stdout.toString('utf8')
  if (!/^[^\n]+\n$/.test(text)) throw new Error(`not one line: ${JSON.stringify(text)}`)
  return JSON.parse(text) as Record<string, unknown>
}
