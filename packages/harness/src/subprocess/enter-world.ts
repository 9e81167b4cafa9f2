import { abortedBeforeSpawn } from 'dsh-bash-process'

/** Settles with `entering`, unless `cancel` comes first. The container that starts meanwhile stays for the next. */
export async function enterUnlessCancelled<Session>(
  entering: Promise<Session>,
  cancel: AbortSignal | undefined,
): Promise<Session> {
  if (cancel === undefined) return entering
  const cancelled = Promise.withResolvers<never>()
  const onAbort = (): void => cancelled.reject(abortedBeforeSpawn(cancel))
  cancel.addEventListener('abort', onAbort, { once: true })
  if (cancel.aborted) onAbort()
  entering.catch(() => undefined) // told to whoever waits for it
  try {
    return await Promise.race([entering, cancelled.promise])
  } finally {
    cancel.removeEventListener('abort', onAbort)
  }
}
