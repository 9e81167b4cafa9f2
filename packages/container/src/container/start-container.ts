import type { Socket } from 'node:net'
import { isSandboxError, messageOf, SandboxError } from 'dsh-bash-error'
import type { Engine } from '../engine/engine.ts'
import { containerBody } from './container-body.ts'
import type { ContainerSpec } from './container-spec.ts'
import { assertMountAllowed } from './mount-guard.ts'
import { attachSupervisor } from '../supervisor/attach-supervisor.ts'
import { SandboxContainer } from './sandbox-container.ts'

/**
 * Creates, attaches and starts a hardened container. What was created before a step failed is
 * removed.
 *
 * @throws `WORKSPACE_REFUSED`, `IMAGE_NOT_FOUND`, `SESSION_START_FAILED`, `ENGINE_UNREACHABLE`,
 *   `ENGINE_PROTOCOL`, and the signal's reason
 */
export async function startContainer(
  engine: Engine,
  spec: ContainerSpec,
  signal?: AbortSignal,
): Promise<SandboxContainer> {
  for (const mount of spec.mounts) assertMountAllowed(engine, mount)
  const name = `bash-docker-${spec.sessionId}`
  let socket: Socket | undefined
  try {
    const id = await engine.port.createContainer(name, containerBody(spec), { signal })
    // Attached before the start: the main process ends when nobody holds its input.
    socket = await engine.port.attachContainer(id, { signal })
    const supervisor = spec.main.kind === 'supervisor' ? attachSupervisor(socket) : undefined
    await engine.port.startContainer(id, { signal })
    return new SandboxContainer(engine, { id, name, sessionId: spec.sessionId }, socket, supervisor)
  } catch (error) {
    socket?.destroy()
    // By name: the engine may have created it although its answer did not arrive.
    await engine.port.removeContainer(name).catch(() => undefined) // `gc` finds what is left by its labels
    throw startFailure(spec, error)
  }
}

function startFailure(spec: ContainerSpec, error: unknown): unknown {
  if (!isSandboxError(error) || error.code !== 'ENGINE_REFUSED') return error
  if (error.context['status'] === 404 && error.message.includes('create the container')) {
    return new SandboxError('IMAGE_NOT_FOUND', `the engine has no image ${spec.image}`, {
      context: { ...error.context, image: spec.image },
      cause: error,
    })
  }
  return new SandboxError('SESSION_START_FAILED', `the session could not be started: ${messageOf(error)}`, {
    context: { ...error.context, image: spec.image },
    cause: error,
  })
}
