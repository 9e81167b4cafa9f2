import { isSandboxError, messageOf, SandboxError } from 'dsh-bash-error'
import { refusalStatus } from '../engine/call.ts'
import type { Engine } from '../engine/engine.ts'
import { type ImageReference, repositoryName } from './image-reference.ts'
import { type ProgressLine, readProgress } from './json-lines.ts'
import { registryLogin } from './registry-login.ts'
import type { AttemptTerms } from './shared-attempts.ts'

/**
 * Pulls an image.
 *
 * @throws `IMAGE_NOT_FOUND` when the registry says that it has none such for us, `IMAGE_PULL_FAILED`
 *   for every other reason, `CONTEXT_INVALID` for a Docker configuration that cannot be read
 */
export async function pullImage(
  engine: Engine,
  reference: string,
  parsed: ImageReference,
  { onProgress, signal }: AttemptTerms,
): Promise<void> {
  const login = await registryLogin(parsed.registry)
  const image = { name: repositoryName(parsed), tag: parsed.digest ?? parsed.tag ?? 'latest' }
  const tell = (line: string): void => onProgress({ step: 'pull', reference, line })
  tell(`pulling ${reference}`)
  try {
    const stream = await engine.port.pullImage(image, login, { signal })
    await readProgress(stream, (line) => tell(lineText(line)), signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw pullFailure(reference, error)
  }
}

function lineText({ id, status, progress }: ProgressLine): string {
  return [id === undefined ? undefined : `${id}:`, status, progress].filter((part) => part !== undefined).join(' ')
}

function pullFailure(reference: string, error: unknown): SandboxError {
  const context = { reference, ...(isSandboxError(error) ? error.context : {}) }
  if (refusalStatus(error) === 404) {
    return new SandboxError('IMAGE_NOT_FOUND', `no registry has the image ${reference} for us: ${messageOf(error)}`, {
      context,
      cause: error,
    })
  }
  return new SandboxError('IMAGE_PULL_FAILED', `the image ${reference} could not be pulled: ${messageOf(error)}`, {
    context,
    cause: error,
  })
}
