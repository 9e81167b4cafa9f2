import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type { SubprocessHandle, SubprocessRuntime, SubprocessSpawnSpec } from '@deepseek-ai/dsh-subprocess'

const collected = { maxBytes: 65_536 }

/** A spec of `bash -c`, all output collected, but for what a test wants otherwise. */
export function bashSpec(command: string, changes: Partial<SubprocessSpawnSpec> = {}): SubprocessSpawnSpec {
  return {
    argv: ['bash', '-c', command],
    cwd: '/',
    stdio: { stdin: 'ignore', stdout: collected, stderr: collected },
    graceMs: 500,
    ...changes,
  }
}

/** What a command printed, and how it ended. */
export async function run(
  subprocess: SubprocessRuntime,
  command: string,
  changes: Partial<SubprocessSpawnSpec> = {},
): Promise<{ stdout: string; stderr: string; exitCode: number | null; signal: NodeJS.Signals | null }> {
  const handle = subprocess.spawn(bashSpec(command, changes))
  const outcome = await handle.done
  return { ...outcome, stdout: collectedText(handle, 'stdout'), stderr: collectedText(handle, 'stderr') }
}

export function collectedText(handle: SubprocessHandle, stream: 'stdout' | 'stderr'): string {
  return handle.collected[stream]?.readFrom(0).text ?? ''
}

export async function textOf(stream: Readable | undefined): Promise<string> {
  if (stream === undefined) throw new Error('there is no such stream')
  return (await buffer(stream)).toString('utf8')
}

/** Asks again and again, for half a minute at most. */
export async function until<Value>(
  what: string,
  ask: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline;) {
    const value = await ask()
    if (value !== undefined && value !== false) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`this did not come about: ${what}`)
}
