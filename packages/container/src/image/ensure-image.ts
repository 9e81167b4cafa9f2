import { SandboxError } from 'dsh-bash-error'
import type { Engine } from '../engine/engine.ts'
import { buildDefaultImage } from './build-default-image.ts'
import { DEFAULT_IMAGE } from './default-image.ts'
import type { OnImageProgress } from './image-progress.ts'
import { parseImageReference } from './image-reference.ts'
import { pullImage } from './pull-image.ts'
import { SharedAttempts } from './shared-attempts.ts'

export interface EnsureImageOptions {
  readonly reference: string
  /** `never`: only what is on the engine, or built here, will do. */
  readonly pull: 'missing' | 'never'
  readonly onProgress?: OnImageProgress
  readonly signal?: AbortSignal | undefined
}

/** An image that is on the engine. */
export interface PresentImage {
  readonly reference: string
  /** The engine's own name of its content. */
  readonly id: string
  /** What it sets for every process, each as `NAME=value`. */
  readonly env: readonly string[]
}

const underWay = new WeakMap<Engine, SharedAttempts>()

/**
 * Sees to it that an image is on the engine: it is there, else it is pulled, or built when it is the
 * default one.
 *
 * @throws `IMAGE_REFERENCE_INVALID`, `IMAGE_NOT_FOUND`, `IMAGE_PULL_FAILED`, `IMAGE_BUILD_FAILED`,
 *   and the signal's reason
 */
export async function ensureImage(engine: Engine, options: EnsureImageOptions): Promise<PresentImage> {
  const { reference } = options
  const parsed = parseImageReference(reference)
  const present = await engine.port.inspectImage(reference)
  if (present !== undefined) return { reference, id: present.id, env: present.env }
  const isDefault = reference === DEFAULT_IMAGE
  if (options.pull === 'never' && !isDefault) throw notFound(reference)
  await attemptsOn(engine).join(reference, options, (terms) =>
    isDefault ? buildDefaultImage(engine, terms) : pullImage(engine, reference, parsed, terms),
  )
  const obtained = await engine.port.inspectImage(reference)
  if (obtained === undefined) throw notFound(reference)
  return { reference, id: obtained.id, env: obtained.env }
}

function attemptsOn(engine: Engine): SharedAttempts {
  const attempts = underWay.get(engine) ?? new SharedAttempts()
  underWay.set(engine, attempts)
  return attempts
}

function notFound(reference: string): SandboxError {
  return new SandboxError('IMAGE_NOT_FOUND', `the image ${reference} is not on the engine`, { context: { reference } })
}
