import { SandboxError } from 'dsh-bash-error'
import type { Engine } from '../engine/engine.ts'
import { buildDefaultImage } from './build-default-image.ts'
import { DEFAULT_IMAGE } from './default-image.ts'
import type { OnImageProgress } from './image-progress.ts'
import { parseImageReference } from './image-reference.ts'
import { pullImage } from './pull-image.ts'

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
}

/** Whoever asks for an image while it is being had waits for the same attempt. */
const underWay = new WeakMap<Engine, Map<string, Promise<void>>>()

/**
 * Sees to it that an image is on the engine: it is there, else it is pulled, or built when it is the
 * default one.
 *
 * @throws `IMAGE_REFERENCE_INVALID`, `IMAGE_NOT_FOUND`, `IMAGE_PULL_FAILED`, `IMAGE_BUILD_FAILED`,
 *   and the signal's reason
 */
export async function ensureImage(engine: Engine, options: EnsureImageOptions): Promise<PresentImage> {
  const { reference } = options
  parseImageReference(reference)
  const present = await engine.port.inspectImage(reference)
  if (present !== undefined) return { reference, id: present.id }
  await once(engine, reference, () => obtain(engine, options))
  const obtained = await engine.port.inspectImage(reference)
  if (obtained === undefined) throw notFound(reference)
  return { reference, id: obtained.id }
}

async function obtain(engine: Engine, { reference, pull, onProgress, signal }: EnsureImageOptions): Promise<void> {
  const terms = { onProgress: onProgress ?? (() => undefined), signal }
  if (reference === DEFAULT_IMAGE) return buildDefaultImage(engine, terms)
  if (pull === 'never') throw notFound(reference)
  return pullImage(engine, reference, parseImageReference(reference), terms)
}

function once(engine: Engine, reference: string, attempt: () => Promise<void>): Promise<void> {
  const attempts = underWay.get(engine) ?? new Map<string, Promise<void>>()
  underWay.set(engine, attempts)
  const known = attempts.get(reference)
  if (known !== undefined) return known
  const begun = attempt().finally(() => attempts.delete(reference))
  attempts.set(reference, begun)
  return begun
}

function notFound(reference: string): SandboxError {
  return new SandboxError('IMAGE_NOT_FOUND', `the image ${reference} is not on the engine`, { context: { reference } })
}
