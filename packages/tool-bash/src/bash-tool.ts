import type { BashExecRequest, BashExecutor, BashRunResult } from 'dsh-bash'
import { isSandboxError, SandboxError } from 'dsh-bash-error'
import { bashArguments } from './arguments.ts'
import { execRequest } from './exec-request.ts'
import { type ModelTool, modelTool } from './model-tool.ts'
import { presentBashCall, presentBashResult } from './present-bash.ts'
import { renderBash } from './render.ts'
import { type BashValue, bashValue, toForegroundValue } from './values.ts'

const description =
  'Run a bash command and get its output. ' +
  'Each call is a fresh shell: directory, variables and functions do not carry over, so pass `workdir` instead of `cd`. ' +
  'The result is stdout, then a `[stderr]` section when there is any, then `[exit code: N]` when that is not 0. ' +
  'Long output is cut to its tail, and the result names the file that holds all of it. ' +
  'For a command that runs long, such as a server, set `run_in_background: true`: ' +
  'the call returns a task id at once; read its output with `bash_output` and end it with `bash_kill`.'

/** `bash`: runs one command, or starts it in the background. */
export function bashTool(bash: BashExecutor): ModelTool<BashValue> {
  return modelTool({
    name: 'bash',
    description,
    parameters: bashArguments,
    output: bashValue,
    async execute(args, call) {
      if (call.signal?.aborted === true) throw commandAborted(call.signal.reason)
      const request = execRequest(args, call)
      if (args.run_in_background === true) {
        return { kind: 'background', taskId: bash.start(bash.resolve(request)).id }
      }
      return toForegroundValue(await runForeground(bash, request))
    },
    render: renderBash,
    facts: (value) => (value.kind === 'foreground' ? { exitCode: value.exitCode, signal: value.signal } : null),
    presentCall: presentBashCall,
    presentResult: presentBashResult,
  })
}

/** @throws `COMMAND_ABORTED` whether the abort came before the command existed or while it ran */
async function runForeground(bash: BashExecutor, request: BashExecRequest): Promise<BashRunResult> {
  const result = await bash.run(bash.resolve(request)).catch((error: unknown) => {
    throw isSandboxError(error) && error.code === 'ABORTED_BEFORE_SPAWN' ? commandAborted(error) : error
  })
  if (result.aborted) throw commandAborted(request.signal?.reason)
  return result
}

function commandAborted(cause: unknown): SandboxError {
  return new SandboxError('COMMAND_ABORTED', 'command aborted', { cause })
}
