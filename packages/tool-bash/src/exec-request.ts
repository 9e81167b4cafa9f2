import { posix } from 'node:path'
import { type BashExecRequest, OwnerToken } from 'dsh-bash'
import type { BashArguments } from './arguments.ts'
import type { ToolCall, ToolCaller } from './tool-call.ts'

/**
 * The trusted-plugin boundary: what a model says becomes a request here and nowhere else, field by
 * field. `stdin` and `env` are for trusted plugins and are never taken from a model's arguments
 * (docs/decisions/0001-trusted-plugin-surface.md).
 */
export function execRequest(args: BashArguments, { caller, signal }: ToolCall): BashExecRequest {
  const workdir = workdirOf(args.workdir, caller)
  // A background task outlives the call that started it, so the signal of that call must not end it.
  const isBackground = args.run_in_background === true
  return {
    command: args.command,
    ...(workdir === undefined ? {} : { workdir }),
    ...(args.timeoutMs === undefined ? {} : { timeoutMs: args.timeoutMs }),
    ...(signal === undefined || isBackground ? {} : { signal }),
    ...(caller === undefined ? {} : { owner: OwnerToken(caller.sessionId) }),
  }
}

/** Undefined leaves the default to the executor. POSIX rules: it is a path of the command's world. */
function workdirOf(workdir: string | undefined, caller: ToolCaller | undefined): string | undefined {
  if (caller?.cwd === undefined) return workdir
  return workdir === undefined ? caller.cwd : posix.resolve(caller.cwd, workdir)
}
