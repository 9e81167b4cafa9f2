import { isSandboxError, SandboxError } from 'dsh-bash-error'
import type { Engine } from '../engine/engine.ts'
import type { ContainerMain, ContainerSpec } from '../container/container-spec.ts'
import type { SandboxContainer } from '../container/sandbox-container.ts'
import { startContainer } from '../container/start-container.ts'
import { type SupervisorProgram, supervisorProgram } from './program.ts'
import type { SupervisorConnection } from './supervisor-connection.ts'
import { fillSupervisorVolume, supervisorVolumeName } from './supervisor-volume.ts'

/** What a supervisor is told at its start. */
export type SupervisorTerms = Omit<Extract<ContainerMain, { kind: 'supervisor' }>, 'kind' | 'volumeName'>

/** A container whose main process runs commands by itself. */
export interface SupervisedContainer {
  readonly container: SandboxContainer
  readonly supervisor: SupervisorConnection
}

/** Engines that are known to have the program's volume. */
const deliveries = new WeakMap<Engine, Promise<SupervisorProgram>>()

/**
 * Starts a hardened container with the supervisor as its main process, and believes it only when its
 * hello names the program that we know.
 *
 * @throws `SUPERVISOR_UNAVAILABLE`, and what `startContainer` throws
 */
export async function startSupervised(
  engine: Engine,
  spec: Omit<ContainerSpec, 'main'>,
  terms: SupervisorTerms,
  signal?: AbortSignal,
): Promise<SupervisedContainer> {
  const program = await delivered(engine, spec.image)
  const main: ContainerMain = { ...terms, kind: 'supervisor', volumeName: supervisorVolumeName(program) }
  try {
    return await startAndGreet(engine, { ...spec, main }, program, signal)
  } catch (error) {
    if (!mayBeVolume(error) || signal?.aborted === true) throw error
    // Whoever began to fill it may have been killed: the same bytes again, once.
    await fillSupervisorVolume(engine, program, spec.image)
    return startAndGreet(engine, { ...spec, main }, program, signal)
  }
}

async function startAndGreet(
  engine: Engine,
  spec: ContainerSpec,
  program: SupervisorProgram,
  signal: AbortSignal | undefined,
): Promise<SupervisedContainer> {
  const container = await startContainer(engine, spec, signal)
  const { supervisor } = container
  container.hold()
  try {
    if (supervisor === undefined) throw new TypeError('the container was started without a supervisor')
    const hello = await supervisor.hello
    if (hello.build === program.build) return { container, supervisor }
    throw new SandboxError('SESSION_START_FAILED', 'the supervisor is not the one that was delivered', {
      context: { build: hello.build, expectedBuild: program.build },
    })
  } catch (error) {
    await container.end()
    throw error
  } finally {
    container.letGo()
  }
}

/** One look at the engine for all sessions on it; one that failed is repeated by the next. */
function delivered(engine: Engine, image: string): Promise<SupervisorProgram> {
  let delivery = deliveries.get(engine)
  if (delivery === undefined) {
    delivery = deliver(engine, image)
    deliveries.set(engine, delivery)
    delivery.catch(() => deliveries.delete(engine))
  }
  return delivery
}

async function deliver(engine: Engine, image: string): Promise<SupervisorProgram> {
  const program = await supervisorProgram(engine)
  if (!(await engine.port.hasVolume(supervisorVolumeName(program)))) await fillSupervisorVolume(engine, program, image)
  return program
}

function mayBeVolume(error: unknown): boolean {
  return isSandboxError(error) && ['SESSION_START_FAILED', 'SESSION_LOST', 'ENGINE_PROTOCOL'].includes(error.code)
}
