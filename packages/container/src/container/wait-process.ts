import type { Socket } from 'node:net'
import { SandboxError } from 'dsh-bash-error'
import { Demultiplexer } from '../stream/demultiplexer.ts'

const mark = 'waiting'
/** From the start of the container until bash has said so; a host under load takes seconds. */
const patienceMs = 30_000
const maxTextLength = 4096

/**
 * Says that it runs, then waits for the end of its input, by bash alone: the end of the harness is
 * the end of the container.
 */
export const waitScript = `echo ${mark}; while IFS= read -r _; do :; done`

/** What an init exits with when it finds no program of that name. */
const commandNotFound = 127

/**
 * Resolves once the main process of a container waits. The engine says only that init was started:
 * an image without bash starts as well, and ends at once.
 *
 * @throws `SHELL_NOT_FOUND`, `SESSION_START_FAILED`, and the signal's reason
 */
export async function untilWaiting(
  socket: Socket,
  exitCode: Promise<number | undefined>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const waiting = Promise.withResolvers<boolean>()
  const said = { stdout: '', stderr: '' }
  const listenTo = (stream: 'stdout' | 'stderr') => (chunk: Uint8Array) => {
    said[stream] = (said[stream] + Buffer.from(chunk).toString()).slice(-maxTextLength)
    if (said.stdout.includes(mark)) waiting.resolve(true)
  }
  const demultiplexer = new Demultiplexer({ stdout: listenTo('stdout'), stderr: listenTo('stderr') })
  const onData = (chunk: Buffer): void => {
    try {
      demultiplexer.write(chunk)
    } catch (error) {
      waiting.reject(error)
    }
  }
  const onEnd = (): void => waiting.resolve(false)
  const onAbort = (): void => waiting.reject(signal?.reason)
  const timer = setTimeout(onEnd, patienceMs)
  socket.on('data', onData).once('end', onEnd).once('close', onEnd)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  try {
    if (await waiting.promise) return
  } finally {
    clearTimeout(timer)
    socket.off('data', onData).off('end', onEnd).off('close', onEnd)
    signal?.removeEventListener('abort', onAbort)
  }
  throw failure(said.stderr.trim(), await exitCode)
}

function failure(engineMessage: string, exitCode: number | undefined): SandboxError {
  const context = { engineMessage, exitCode }
  return exitCode === commandNotFound
    ? new SandboxError('SHELL_NOT_FOUND', 'the image has no bash', { context })
    : new SandboxError('SESSION_START_FAILED', `the container ended as it was started: ${engineMessage}`, { context })
}
