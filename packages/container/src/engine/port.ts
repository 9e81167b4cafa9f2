import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type {
  ContainerFacts,
  ContainerSummary,
  EngineInfo,
  EngineVersion,
  ExecFacts,
  ImageFacts,
  NetworkSummary,
  VolumeSummary,
} from './answers.ts'
import type { CarrierBody, ContainerBody, ExecBody } from './requests.ts'

/** Where a call may be given up by its caller. */
export interface Cancellable {
  readonly signal?: AbortSignal | undefined
}

/** One registry login, as the Engine takes it. */
export interface RegistryAuth {
  readonly username?: string
  readonly password?: string
  readonly identitytoken?: string
  readonly serveraddress?: string
}

/**
 * The calls of the Docker Engine's API that a sandbox needs, and no other. Each has a deadline of
 * its own and rejects with a `SandboxError`: `ENGINE_REFUSED` when the engine answered with an error
 * (its HTTP status is `context.status`, its words are `context.engineMessage`), `ENGINE_UNREACHABLE`
 * when it did not answer, `ENGINE_PROTOCOL` when the answer is not one of an engine. An aborted call
 * rejects with the signal's reason.
 *
 * A socket that a call hands out is connected, half-closable and has an `error` listener.
 */
export interface EnginePort {
  version(options?: Cancellable): Promise<EngineVersion>
  info(options?: Cancellable): Promise<EngineInfo>

  /** @returns the container's id */
  createContainer(name: string, body: ContainerBody | CarrierBody, options?: Cancellable): Promise<string>
  /** The container's standard input, and its output in the Engine's framing, hijacked. */
  attachContainer(id: string, options?: Cancellable): Promise<Socket>
  startContainer(id: string, options?: Cancellable): Promise<void>
  /** The exit code of a container that is about to be started, when it exits soon. */
  waitContainer(id: string, options?: Cancellable): Promise<number>
  /** Undefined when there is no such container. */
  inspectContainer(id: string): Promise<ContainerFacts | undefined>
  /** Kills and removes it with its anonymous volumes; one that is gone is no error. */
  removeContainer(id: string): Promise<void>
  /** Containers in every state that carry a label (`name` or `name=value`). */
  listContainers(label: string): Promise<ContainerSummary[]>

  /** @returns the exec's id */
  createExec(containerId: string, body: ExecBody): Promise<string>
  /**
   * Starts an exec and hijacks its connection. Resolves at the engine's 101: the process itself
   * starts later, and may still fail to.
   */
  startExec(execId: string): Promise<Socket>
  /** Undefined when the engine no longer knows it. */
  inspectExec(execId: string): Promise<ExecFacts | undefined>

  /** Undefined when it is not on the engine. */
  inspectImage(reference: string): Promise<ImageFacts | undefined>
  /** Progress as JSON lines; an error of the pull is a line too. */
  pullImage(
    image: { name: string; tag: string },
    auth: RegistryAuth | undefined,
    options?: Cancellable,
  ): Promise<Readable>
  /** Makes an image of a root file system (tar). `changes` are Dockerfile instructions. Progress as JSON lines. */
  importImage(
    rootfs: Readable,
    image: { name: string; tag: string; changes: readonly string[] },
    options?: Cancellable,
  ): Promise<Readable>
  /** Builds a Dockerfile from a context (tar). Progress as JSON lines. */
  buildImage(
    context: Readable,
    image: { reference: string; labels: Readonly<Record<string, string>> },
    options?: Cancellable,
  ): Promise<Readable>

  /** Puts files (an uncompressed tar) into a container that need not run. */
  putArchive(containerId: string, path: string, tar: Readable): Promise<void>

  /** One that exists already, with whatever labels, is no error. */
  createVolume(name: string, labels: Readonly<Record<string, string>>): Promise<void>
  hasVolume(name: string): Promise<boolean>
  listVolumes(label: string): Promise<VolumeSummary[]>
  /** One that is gone is no error. */
  removeVolume(name: string): Promise<void>
  listNetworks(label: string): Promise<NetworkSummary[]>
  /** One that is gone is no error. */
  removeNetwork(id: string): Promise<void>
}
