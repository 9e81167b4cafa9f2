import type { BashExecRequest, BashExecutor, BashRunResult, BashTask } from 'dsh-bash'

/** Resolves a request and runs it. */
export function run(bash: BashExecutor, request: BashExecRequest | string): Promise<BashRunResult> {
  return bash.run(bash.resolve(asRequest(request)))
}

/** Runs a command and gives its stdout. */
export async function stdoutOf(bash: BashExecutor, request: BashExecRequest | string): Promise<string> {
  return (await run(bash, request)).stdout.text
}

/** Resolves a request and starts it in the background. */
export function start(bash: BashExecutor, request: BashExecRequest | string): BashTask {
  return bash.start(bash.resolve(asRequest(request)))
}

function asRequest(request: BashExecRequest | string): BashExecRequest {
  return typeof request === 'string' ? { command: request } : request
}

/** What a command was refused with. `code` and `hint` are those of a `SandboxError`, or undefined. */
export interface Refusal {
  code: unknown
  hint: unknown
  message: string
}

/** What a request is refused with, by `resolve` or by the rejection of `run`; undefined when it ran. */
export async function refusalOf(bash: BashExecutor, request: BashExecRequest): Promise<Refusal | undefined> {
  try {
    await run(bash, request)
    return undefined
  } catch (error) {
    const { code, hint, message } = error as Partial<Refusal>
    return { code, hint, message: String(message) }
  }
}

/** A word that bash reads as this text, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
