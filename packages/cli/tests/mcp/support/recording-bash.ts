import { Context } from '@deepseek-ai/cordis'
import {
  type BashExecRequest,
  type BashExecSpec,
  BashExecutor,
  type BashRunResult,
  type BashTask,
  BashTaskId,
  type BashTaskRead,
} from 'dsh-bash'

/** Keeps what it is asked, and runs nothing. */
export class RecordingBash extends BashExecutor {
  /** The one that was opened last, for a tool that must not know its own. */
  static last: RecordingBash
  readonly requests: BashExecRequest[] = []

  static async open(): Promise<RecordingBash> {
    const ctx = new Context()
    await ctx.plugin(RecordingBash)
    RecordingBash.last = ctx.bash as RecordingBash
    return RecordingBash.last
  }

  resolve(request: BashExecRequest): BashExecSpec {
    this.requests.push(request)
    return { workdir: '/', timeoutMs: 1000, owner: undefined, ...request } as BashExecSpec
  }

  async run({ timeoutMs }: BashExecSpec): Promise<BashRunResult> {
    const output = { text: '', truncated: false }
    return { exitCode: 0, signal: null, timedOut: false, aborted: false, timeoutMs, stdout: output, stderr: output }
  }

  start({ command }: BashExecSpec): BashTask {
    const id = BashTaskId('bash-1')
    return { id, command, status: 'completed', exitCode: 0, signal: null, done: Promise.resolve() }
  }

  get(): BashTask | undefined {
    return undefined
  }

  list(): BashTask[] {
    return []
  }

  ownerOf(): undefined {
    return undefined
  }

  readOutput(): BashTaskRead {
    throw new Error('there is no task')
  }

  kill(): boolean {
    throw new Error('there is no task')
  }
}
