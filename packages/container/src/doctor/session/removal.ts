import type { SandboxContainer } from '../../container/sandbox-container.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Finding } from '../probe-result.ts'

export const removalProbeName = 'removal'

/**
 * Ends the container that the probes ran in, and asks for it.
 *
 * @throws when it cannot be ended
 */
export async function probeRemoval({ port }: Engine, container: SandboxContainer): Promise<Finding> {
  await container.end()
  if ((await port.inspectContainer(container.id)) === undefined) {
    return { status: 'ok', detail: 'a container is gone when its session ends' }
  }
  return { status: 'failed', detail: `the container ${container.name} is still there`, hint: 'Run `bash-docker gc`.' }
}
