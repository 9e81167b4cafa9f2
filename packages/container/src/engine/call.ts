import { isSandboxError, messageOf, SandboxError } from 'dsh-bash-error'
import { z } from 'zod'

/** One call of the engine, for its deadline and for its error. */
export interface EngineCall {
  /** For people, such as `create the container`. */
  readonly what: string
  readonly host: string
  readonly deadlineMs: number
  /** The caller's own; an abort rejects with its reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs one call with our own deadline. The library's is not enough: some of its promises never
 * settle, and its timeout does nothing once a connection is upgraded.
 *
 * @throws `ENGINE_REFUSED`, `ENGINE_UNREACHABLE`, or the reason of the caller's abort
 */
export async function callEngine<Answer>(
  call: EngineCall,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  call.signal?.throwIfAborted()
  const giveUp = new AbortController()
  const givenUp = Promise.withResolvers<never>()
  const stop = (reason: unknown): void => {
    givenUp.reject(reason)
    giveUp.abort(reason)
  }
  const timer = setTimeout(() => stop(late(call)), call.deadlineMs)
  const onAbort = (): void => stop(call.signal?.reason)
  call.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([run(giveUp.signal), givenUp.promise])
  } catch (error) {
    if (giveUp.signal.aborted) throw giveUp.signal.reason
    giveUp.abort() // Frees the connection of a request that the library leaves open after a refusal.
    throw engineError(call, error)
  } finally {
    clearTimeout(timer)
    call.signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * Reads an answer by its schema.
 *
 * @throws `ENGINE_PROTOCOL`
 */
export function readAnswer<Output>(
  call: Pick<EngineCall, 'what' | 'host'>,
  schema: z.ZodType<Output>,
  answer: unknown,
): Output {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new SandboxError(
    'ENGINE_PROTOCOL',
    `cannot ${call.what}: the answer is not one of a Docker Engine: ${z.prettifyError(parsed.error)}`,
    { context: { host: call.host } },
  )
}

/** The HTTP status of an engine's refusal; undefined for any other error. */
export function refusalStatus(error: unknown): number | undefined {
  if (!isSandboxError(error) || error.code !== 'ENGINE_REFUSED') return undefined
  const { status } = error.context
  return typeof status === 'number' ? status : undefined
}

/** Whether the engine is there and has not answered in time, other than one that cannot be reached. */
export function isLate(error: unknown): boolean {
  return isSandboxError(error) && error.code === 'ENGINE_UNREACHABLE' && error.context['deadlineMs'] !== undefined
}

/** An answer, or undefined where the engine says that there is no such thing. */
export async function absentOn404<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (refusalStatus(error) === 404) return undefined
    throw error
  }
}

function late(call: EngineCall): SandboxError {
  return new SandboxError(
    'ENGINE_UNREACHABLE',
    `cannot ${call.what}: the engine at ${call.host} did not answer within ${call.deadlineMs} ms`,
    { context: { host: call.host, deadlineMs: call.deadlineMs } },
  )
}

function engineError(call: EngineCall, error: unknown): SandboxError {
  if (isSandboxError(error)) return error
  const { what, host } = call
  const refusal = refusalAnswer.safeParse(error)
  if (refusal.success) {
    const { statusCode: status, engineMessage } = refusal.data
    return new SandboxError('ENGINE_REFUSED', `cannot ${what}: ${engineMessage}`, {
      context: { host, status, engineMessage },
      cause: error,
    })
  }
  // Node's error for several addresses has no message of its own.
  const why = messageOf(error) || String((error as NodeJS.ErrnoException).code)
  return new SandboxError('ENGINE_UNREACHABLE', `cannot ${what}: the engine at ${host} cannot be reached: ${why}`, {
    context: { host },
    cause: error,
  })
}

/** The library's error for an HTTP status that is none of success; the body is JSON from an engine, and anything from a proxy. */
const refusalAnswer = z
  .object({ statusCode: z.number(), message: z.string(), json: z.unknown() })
  .transform(({ statusCode, message, json }) => {
    const body = z.object({ message: z.string() }).safeParse(json)
    const text = body.success ? body.data.message : message.replace(/^\(HTTP code \d+\) [^-]*- /, '').trim()
    return { statusCode, engineMessage: text }
  })
