import { Socket } from 'node:net'
import { SandboxError } from 'dsh-bash-error'
import { callEngine, type EngineCall } from './call.ts'

type Dialled = (error: unknown, stream?: unknown) => void

/**
 * Takes over the connection of a call that the engine upgrades (101). Nothing but a real socket is
 * taken: a proxy that answers 200 gives a stream without half-close and without an end, on which a
 * command would hang.
 *
 * After the upgrade no abort signal and no timeout of the HTTP client applies any more: who holds the
 * socket destroys it.
 *
 * @throws `ENGINE_PROTOCOL` when it is not upgraded, else as {@link callEngine}
 */
export function hijack(call: EngineCall, dial: (signal: AbortSignal, done: Dialled) => void): Promise<Socket> {
  return callEngine(
    call,
    (signal) =>
      new Promise((resolve, reject) => {
        dial(signal, (error, stream) => {
          if (error) return reject(error)
          if (!(stream instanceof Socket)) {
            destroy(stream)
            return reject(notUpgraded(call))
          }
          // Node takes its own listeners off at the upgrade: without this one, a reset connection
          // would end the whole process. Attached here, in the same turn.
          stream.on('error', swallow)
          if (signal.aborted) stream.destroy()
          resolve(stream)
        })
      }),
  )
}

/** Who uses the socket has a listener of its own; this one only keeps the process alive. */
function swallow(): void {}

function destroy(stream: unknown): void {
  if (typeof stream !== 'object' || stream === null) return
  if ('on' in stream && typeof stream.on === 'function') stream.on('error', swallow)
  if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy()
}

function notUpgraded(call: EngineCall): SandboxError {
  return new SandboxError(
    'ENGINE_PROTOCOL',
    `cannot ${call.what}: ${call.host} did not hand over the connection (HTTP upgrade)`,
    { context: { host: call.host } },
  )
}
