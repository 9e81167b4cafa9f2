import { isSandboxError, messageOf } from 'dsh-bash-error'
import type { Engine } from '../engine/engine.ts'
import type { ProbeResult } from './probe-result.ts'

const name = 'image'

/** Whether the image is there; a probe fetches and builds none. Never throws. */
export async function probeImage({ port }: Engine, reference: string): Promise<ProbeResult> {
  try {
    const image = await port.inspectImage(reference)
    if (image !== undefined) return { name, status: 'ok', detail: `${reference} is on the engine` }
  } catch (error) {
    return { name, status: 'failed', detail: messageOf(error), ...(isSandboxError(error) && { hint: error.hint }) }
  }
  return {
    name,
    status: 'unknown',
    detail: `${reference} is not on the engine, so that no session can be tried`,
    hint: 'The first command of a session fetches or builds it: `bash-docker run -- true`.',
  }
}
