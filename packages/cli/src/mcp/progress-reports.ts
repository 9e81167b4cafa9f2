import type { ProgressToken, ServerNotification } from '@modelcontextprotocol/sdk/types.js'

const intervalMs = 1000

/**
 * Tells the client once a second what its call does, when it asked to be told.
 *
 * @param describe what the call does after so many milliseconds
 * @returns ends it
 */
export function reportProgress(
  progressToken: ProgressToken | undefined,
  send: (notification: ServerNotification) => Promise<void>,
  describe: (elapsedMs: number) => string,
): () => void {
  if (progressToken === undefined) return () => undefined
  const startedMs = performance.now()
  const timer = setInterval(() => {
    const elapsedMs = Math.round(performance.now() - startedMs)
    const params = { progressToken, progress: elapsedMs / 1000, message: describe(elapsedMs) }
    // A client that has gone is noticed by its transport.
    send({ method: 'notifications/progress', params }).catch(() => undefined)
  }, intervalMs)
  return () => clearInterval(timer)
}
