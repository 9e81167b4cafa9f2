import type { Socket } from 'node:net'
import { isSandboxError, messageOf, SandboxError } from 'dsh-bash-error'
import type { Engine } from '../engine/engine.ts'
import { containerBody } from './container-body.ts'
import type { ContainerSpec } from './container-spec.ts'
import { guardMount } from './mount-guard.ts'
import { attachSupervisor } from '../supervisor/attach-supervisor.ts'
import { SandboxContainer } from './sandbox-container.ts'
import { untilWaiting } from './wait-process.ts'

/**
 * Creates, attaches and starts a hardened container. What was created before a step failed is
 * removed.
 *
 * @throws `WORKSPACE_REFUSED`, `IMAGE_NOT_FOUND`, `SHELL_NOT_FOUND`, `SESSION_START_FAILED`,
 *   `ENGINE_UNREACHABLE`, `ENGINE_PROTOCOL`, and the signal's reason
 */
export async function startContainer(
  engine: Engine,
  spec: ContainerSpec,
  signal?: AbortSignal,
): Promise<SandboxContainer> {
  const body = containerBody({ ...spec, mounts: spec.mounts.map((mount) => guardMount(engine, mount)) })
  const name = `bash-docker-${spec.sessionId}`
  let socket: Socket | undefined
  try {
    signal?.throwIfAborted()
    // Never given up half way: an engine that goes on creating would do so after the removal below.
    const id = await engine.port.createContainer(name, body)
    signal?.throwIfAborted()
    // Attached before the start: the main process ends when nobody holds its input.
    socket = await engine.port.attachContainer(id, { signal })
    const supervisor = spec.main.kind === 'supervisor' ? attachSupervisor(socket) : undefined
    if (spec.main.kind === 'wait') await startWaiting(engine, id, socket, signal)
    else await engine.port.startContainer(id, { signal })
    return new SandboxContainer(engine, { id, name, sessionId: spec.sessionId }, socket, supervisor)
  } catch (error) {
    socket?.destroy()
    // By name: the engine may have created it although its answer did not arrive.
    await engine.port.removeContainer(name).catch(() => undefined) // `gc` finds what is left by its labels
    throw startFailure(spec, error)
  }
}

async function startWaiting(
  engine: Engine,
  id: string,
  socket: Socket,
  signal: AbortSignal | undefined,
): Promise<void> {
  const settled = new AbortController()
  // Asked before the start: the engine forgets a container that has ended.
  const exitCode = engine.port.waitContainer(id, { signal: settled.signal }).catch(() => undefined) // not to be had
  try {
    await engine.port.startContainer(id, { signal })
    await untilWaiting(socket, exitCode, signal)
  } finally {
    settled.abort()
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
