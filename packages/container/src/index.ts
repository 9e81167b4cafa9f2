export {
  collectGarbage,
  type CollectedGarbage,
  type CollectGarbageOptions,
  type LeftObject,
} from './cleanup/collect-garbage.ts'
export { listSessions } from './cleanup/list-sessions.ts'
export type { ManagedObject } from './cleanup/managed-object.ts'
export { ContainerExec, type ExecSpec } from './container/container-exec.ts'
export type {
  ContainerMount,
  ContainerSpec,
  ContainerTmpfs,
  ContainerUlimit,
  ContainerUser,
} from './container/container-spec.ts'
export { liesIn } from './container/lies-in.ts'
export { labelNames } from './container/owner.ts'
export { type ContainerEnd, SandboxContainer } from './container/sandbox-container.ts'
export { startContainer } from './container/start-container.ts'
export { probeEngine, type ProbeEngineOptions } from './doctor/probe-engine.ts'
export type { ProbeResult, ProbeStatus } from './doctor/probe-result.ts'
export { connectEngine, discoverEngine, type EngineCandidate, type EngineOptions } from './engine/discover.ts'
export type { Engine } from './engine/engine.ts'
export type {
  CallOptions,
  ContainerFiles,
  DirectoryEntry,
  FileInfo,
  FileKind,
  FilePath,
  FileVersion,
  OpenFile,
  ReadOptions,
  ResolvedPath,
  WriteGuard,
  WriteOptions,
  WrittenFile,
} from './files/container-files.ts'
export { openContainerFiles } from './files/open-container-files.ts'
export { Demultiplexer, type StreamSinks } from './stream/demultiplexer.ts'
export { DEFAULT_IMAGE } from './image/default-image.ts'
export { ensureImage, type EnsureImageOptions, type PresentImage } from './image/ensure-image.ts'
export type { ImageProgress, OnImageProgress } from './image/image-progress.ts'
export { type ImageReference, parseImageReference } from './image/image-reference.ts'
export { boundFolder, directoryOwner, type Folder } from './sandbox/folder.ts'
export { type SandboxConfig, sandboxConfigShape, userSchema } from './sandbox/sandbox-config.ts'
export {
  defaultUser,
  homeDirectory,
  sandboxEnvironment,
  type SandboxPlace,
  sandboxSpec,
  type WatchedDisk,
  watchedDisks,
} from './sandbox/sandbox-spec.ts'
export type { StreamTerms, TerminalSize } from './supervisor/frame-encoder.ts'
export type { CommandExit, SupervisorHello, TerminalForeground, TreeReceipt } from './supervisor/frame-payloads.ts'
export { type SupervisedContainer, startSupervised, type SupervisorTerms } from './supervisor/start-supervised.ts'
export type { SupervisedCommand } from './supervisor/supervised-command.ts'
export type { SupervisedTerminal, TerminalSignal, TerminalSpec } from './supervisor/supervised-terminal.ts'
export type { SupervisorConnection } from './supervisor/supervisor-connection.ts'
