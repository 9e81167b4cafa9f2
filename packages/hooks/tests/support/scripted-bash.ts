import type { BashExecRequest, BashExecSpec, BashRunResult } from 'dsh-bash'
import type { HookExecutor } from '../../src/index.ts'

/** An executor in memory: it runs nothing, keeps what it was asked, and answers as it is told. */
export class ScriptedBash implements HookExecutor {
  readonly requests: BashExecRequest[] = []
  /** What `run` does. */
  answer: (spec: BashExecSpec) => BashRunResult | Promise<BashRunResult> = () => runResult({})
  /** What `readSpill` gives. */
  spill: (path: string) => AsyncIterable<Uint8Array> = () => {
    throw new Error('there is no spill file')
  }

  resolve(request: BashExecRequest): BashExecSpec {
    this.requests.push(request)
    const { timeoutMs = 120_000, workdir = '/default', owner, ...rest } = request
    return { ...(rest as BashExecSpec), timeoutMs, workdir, owner }
  }

  async run(spec: BashExecSpec): Promise<BashRunResult> {
    return this.answer(spec)
  }

  readSpill(path: string): AsyncIterable<Uint8Array> {
    return this.spill(path)
  }
}

/** A run that printed nothing and exited with 0, but for what is given. */
export function runResult(facts: Partial<BashRunResult>): BashRunResult {
  return {
    exitCode: 0,
    signal: null,
    timedOut: false,
    aborted: false,
    timeoutMs: 120_000,
    stdout: { text: '', truncated: false },
    stderr: { text: '', truncated: false },
    ...facts,
  }
}

/** The same, with text on its streams. */
export function printed(stdout: string, stderr = '', exitCode = 0): BashRunResult {
  return runResult({
    exitCode,
    stdout: { text: stdout, truncated: false },
    stderr: { text: stderr, truncated: false },
  })
}
