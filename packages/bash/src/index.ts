export { BashTaskId, OwnerToken } from './brand.ts'
export { BashExecutor, BashExecutor as default, type TaskDoneListener } from './executor.ts'
export type {
  BashCause,
  BashExecRequest,
  BashExecSpec,
  BashKillReceipt,
  BashRunResult,
  BashSandboxFacts,
  BashTask,
  BashTaskRead,
  BashUsage,
  CollectedOutput,
} from './types.ts'
