export { bashArguments } from './bash-arguments.ts'
export { CommandMarkers, commandMarkerName } from './command-marker.ts'
export { type ExecutorConfig, executorConfigShape, parseConfig, pluginConfig } from './config.ts'
export { Deadline, type DeadlineCause } from './deadline.ts'
export { type Inheritance, inheritanceSchema, inheritedEnvironment } from './environment.ts'
export { endTree } from './escalation.ts'
export { type CaptureRead, OutputCapture } from './output-capture.ts'
export type {
  CapturedSink,
  CaptureLimits,
  CaptureTerms,
  HostedProcess,
  OutputSink,
  ProcessExit,
  ProcessHost,
  ProcessSinks,
  ProcessSpec,
  SpawnFacts,
  SpillFile,
  TreeSignal,
} from './port.ts'
export { ProcessBashExecutor } from './process-bash-executor.ts'
export { abortedBeforeSpawn, refusedProcess } from './refused-process.ts'
export { toRunResult } from './run-result.ts'
export {
  type CommandLimits,
  type CommandOutcome,
  type CommandTerms,
  RunningCommand,
  type SpawnCommand,
} from './running-command.ts'
export { type Environment, scrubCredentialNames, scrubCredentialValues, scrubHostBound } from './scrub.ts'
export { loadStandalone } from './standalone.ts'
export { SpillDirectory, type SpillPlacement, spillUnavailable } from './spill-directory.ts'
export { TailBuffer } from './tail-buffer.ts'
export { terminalOverrides } from './terminal-overrides.ts'
export { incompleteUtf8SuffixBytes } from './utf8.ts'
export { maxArgumentBytes, validateSpec } from './validate.ts'
