import { type ErrorCode, isSandboxError, messageOf, SandboxError } from 'dsh-bash-error'
import { z } from 'zod'
import { type EngineChoice, engineChoices, type EngineSource } from './candidates.ts'
import { type Engine, openEngine } from './engine.ts'
import { type EngineWorld, processWorld } from './world.ts'

const engineOptionsSchema = z
  .strictObject({
    host: z.string().min(1).optional(),
    context: z.string().min(1).optional(),
    connectTimeoutMs: z.number().positive().default(5_000),
  })
  .refine(({ host, context }) => host === undefined || context === undefined, 'give host or context, not both')

/** Which engine to use; without a choice, the one that the Docker client would use, or one that is there. */
export interface EngineOptions {
  /** Such as `unix:///var/run/docker.sock` or `tcp://host:2376`. */
  readonly host?: string | undefined
  /** The name of a Docker context. */
  readonly context?: string | undefined
  /** Milliseconds for each question until an engine counts as not there. Default 5000. */
  readonly connectTimeoutMs?: number | undefined
}

/** One place where an engine may be, and what came of it. */
export interface EngineCandidate {
  readonly source: EngineSource
  /** For people: the host, the context, or the product. */
  readonly name: string
  /** As a Docker host string; absent when it could not be found out. */
  readonly host?: string
  readonly outcome: 'taken' | 'failed' | 'not-tried'
  /** Why it failed or was not tried. */
  readonly reason?: string
  readonly code?: ErrorCode
  /** Of the engine, when taken. */
  readonly version?: string
}

/**
 * Looks for an engine: the option, `DOCKER_HOST`, `DOCKER_CONTEXT`, the current Docker context, then
 * the known sockets. A choice that fails ends the search. Never throws for a candidate that fails.
 *
 * @throws `CONFIG_INVALID` for options that cannot be used
 */
export async function discoverEngine(
  options: EngineOptions = {},
  world: EngineWorld = processWorld(),
): Promise<{ engine?: Engine; candidates: EngineCandidate[] }> {
  const { engine, candidates } = await survey(options, world)
  return { ...(engine && { engine }), candidates }
}

/**
 * Connects to the engine that {@link discoverEngine} would take.
 *
 * @throws `ENGINE_NOT_FOUND` when no known socket answers (`context.candidates` has each with its
 * reason); what was explicitly chosen and failed: `ENGINE_UNREACHABLE`, `ENGINE_TOO_OLD`,
 * `ENGINE_PROTOCOL`, `ENGINE_REFUSED`, `CONTEXT_INVALID`; `CONFIG_INVALID` for the options
 */
export async function connectEngine(options: EngineOptions = {}, world: EngineWorld = processWorld()): Promise<Engine> {
  const { engine, candidates, failure } = await survey(options, world)
  if (engine !== undefined) return engine
  const context = { candidates }
  if (failure !== undefined) {
    throw new SandboxError(failure.code, failure.message, {
      context: { ...failure.context, ...context },
      hint: failure.hint,
      cause: failure.cause,
    })
  }
  const tried = candidates.map(({ name, host, reason }) => `\n  ${name} (${host}): ${reason}`)
  throw new SandboxError('ENGINE_NOT_FOUND', `no Docker Engine was found; tried:${tried.join('')}`, { context })
}

interface Survey {
  readonly engine?: Engine
  readonly candidates: EngineCandidate[]
  /** Of the choice that ended the search. */
  readonly failure?: SandboxError
}

async function survey(options: EngineOptions, world: EngineWorld): Promise<Survey> {
  const { connectTimeoutMs, ...chosen } = parseOptions(options)
  const choices = await engineChoices(chosen, world)
  const candidates: EngineCandidate[] = []
  for (const [index, choice] of choices.entries()) {
    const { candidate, engine, failure } = await tryChoice(choice, connectTimeoutMs)
    candidates.push(candidate)
    if (engine === undefined && !choice.explicit) continue
    const reason = engine ? `${choice.name} was taken` : `${choice.name} was chosen, and it failed`
    candidates.push(...(await Promise.all(choices.slice(index + 1).map((rest) => notTried(rest, reason)))))
    return engine ? { engine, candidates } : { candidates, ...(failure && { failure }) }
  }
  return { candidates }
}

async function tryChoice(
  choice: EngineChoice,
  connectTimeoutMs: number,
): Promise<{ candidate: EngineCandidate; engine?: Engine; failure?: SandboxError }> {
  const { source, name } = choice
  let host: string | undefined
  try {
    const endpoint = await choice.endpoint()
    host = endpoint.host
    const engine = await openEngine(endpoint, source, connectTimeoutMs)
    return { engine, candidate: { source, name, host, outcome: 'taken', version: engine.serverVersion } }
  } catch (error) {
    const failure = isSandboxError(error)
      ? error
      : new SandboxError('ENGINE_UNREACHABLE', `cannot connect to ${name}: ${messageOf(error)}`, { cause: error })
    const { message: reason, code } = failure
    return { failure, candidate: { source, name, ...(host && { host }), outcome: 'failed', reason, code } }
  }
}

async function notTried(choice: EngineChoice, reason: string): Promise<EngineCandidate> {
  const { source, name } = choice
  const host = await choice.endpoint().then(
    (endpoint) => endpoint.host,
    () => undefined, // It was not needed, so what is wrong with it is of no interest.
  )
  return { source, name, ...(host && { host }), outcome: 'not-tried', reason }
}

function parseOptions(options: EngineOptions): z.output<typeof engineOptionsSchema> {
  const parsed = engineOptionsSchema.safeParse(options)
  if (parsed.success) return parsed.data
  throw new SandboxError('CONFIG_INVALID', `engine: ${z.prettifyError(parsed.error)}`)
}
