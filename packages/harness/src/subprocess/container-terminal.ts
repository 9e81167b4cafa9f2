import type { Readable } from 'node:stream'
import type {
  SubprocessOutcome,
  SubprocessTerminalForeground,
  SubprocessTerminalHandle,
  SubprocessTerminalSignal,
} from '@deepseek-ai/dsh-subprocess'
import { SandboxError } from 'dsh-bash-error'
import type { SupervisedTerminal } from 'dsh-container'
import type { WorldSession } from '../world/index.ts'

/** One terminal of the container behind the harness's handle. */
export class ContainerTerminal implements SubprocessTerminalHandle {
  readonly pid: number
  readonly output: Readable
  readonly done: Promise<SubprocessOutcome>
  private readonly terminal: SupervisedTerminal
  private readonly container: WorldSession['container']
  private readonly graceMs: number
  private readonly calls = new Set<Promise<unknown>>()
  private termination: Promise<void> | undefined

  constructor(terminal: SupervisedTerminal, session: WorldSession, graceMs: number) {
    this.terminal = terminal
    this.container = session.container
    this.graceMs = graceMs
    this.pid = terminal.pid
    this.output = terminal.output
    this.done = this.settle()
    this.done.catch(() => undefined) // a caller may look at the output alone
  }

  write(data: string): Promise<void> {
    return this.tracked(() => this.terminal.write(data))
  }

  inspectForeground(): Promise<SubprocessTerminalForeground | undefined> {
    return this.tracked(async () => {
      const foreground = await this.terminal.inspectForeground()
      if (foreground === undefined) return undefined
      const { processGroupId, isWaitingForInput } = foreground
      return { processGroupId, inputWaiting: isWaitingForInput }
    })
  }

  /** @throws `TERMINAL_NO_FOREGROUND`; `COMMAND_INVALID` for SIGKILL to the terminal's own program */
  signalForeground(signal: SubprocessTerminalSignal): Promise<number> {
    return this.tracked(async () => {
      if (signal === 'SIGKILL') await this.requireForegroundCommand()
      return this.terminal.signalForeground(signal)
    })
  }

  /** Gives the terminal another size. Later versions of the seam ask for it. */
  resize(rows: number, columns: number): Promise<void> {
    return this.tracked(() => this.terminal.resize({ rows, columns }))
  }

  terminate(): Promise<void> {
    this.termination ??= this.end()
    return this.termination
  }

  private async end(): Promise<void> {
    this.container.hold()
    try {
      await this.terminal.terminate(this.graceMs)
      await Promise.allSettled(this.calls)
    } finally {
      this.container.letGo()
    }
  }

  private async settle(): Promise<SubprocessOutcome> {
    this.container.hold()
    try {
      const { exitCode, signal } = await this.terminal.exited
      return { exitCode, signal: signal as NodeJS.Signals | null }
    } finally {
      this.container.letGo()
      // Nothing of the terminal outlives its program.
      this.terminate().catch(() => undefined) // the container's end takes what is left
    }
  }

  /** A shell that is killed takes the terminal with it: that is what `terminate()` is for. */
  private async requireForegroundCommand(): Promise<void> {
    const foreground = await this.terminal.inspectForeground()
    if (foreground?.processGroupId !== this.pid) return
    throw new SandboxError('COMMAND_INVALID', 'SIGKILL would end the program of the terminal itself', {
      hint: 'Terminate the terminal instead.',
    })
  }

  /** No call is under way any more once the terminal has been terminated. */
  private async tracked<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const answer = call()
    this.calls.add(answer)
    try {
      return await answer
    } finally {
      this.calls.delete(answer)
    }
  }
}
