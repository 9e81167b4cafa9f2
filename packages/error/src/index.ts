export { type ErrorCode, errorCodes } from './codes.ts'
export {
  type ErrorContext,
  isSandboxError,
  messageOf,
  SandboxError,
  type SandboxErrorOptions,
} from './sandbox-error.ts'
