import { abortedBeforeSpawn } from 'dsh-bash-process'
import type { Session } from './session.ts'

/** Settles with `entering`, unless `cancel` comes first: the session is left again then. */
export async function enterUnlessCancelled<LiveSession extends Session>(
  entering: Promise<LiveSession>,
  cancel: AbortSignal,
): Promise<LiveSession> {
  const cancelled = Promise.withResolvers<never>()
  const onAbort = (): void => cancelled.reject(abortedBeforeSpawn(cancel))
  cancel.addEventListener('abort', onAbort, { once: true })
  if (cancel.aborted) onAbort()
  try {
    return await Promise.race([entering, cancelled.promise])
  } catch (error) {
    if (cancel.aborted) void entering.then((session) => session.leave()).catch(() => undefined)
    throw error
  } finally {
    cancel.removeEventListener('abort', onAbort)
  }
}
