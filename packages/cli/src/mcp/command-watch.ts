import { AsyncLocalStorage } from 'node:async_hooks'

/** Longest piece of the output that is shown, in characters. */
const maxLineLength = 120

/** What is known of one call's command while it runs, for whoever waits. */
export class CommandWatch {
  private hasBegun = false
  private outputBytes = 0
  /** The end of the output, which may be the middle of a line. */
  private tail: Uint8Array = new Uint8Array()

  began(): void {
    this.hasBegun = true
  }

  saw(chunk: Uint8Array): void {
    this.outputBytes += chunk.byteLength
    this.tail = lastBytes(chunk.byteLength < tailBytes ? Buffer.concat([this.tail, chunk]) : chunk)
  }

  skipped(byteCount: number): void {
    this.outputBytes += byteCount
    this.tail = new Uint8Array()
  }

  /**
   * One line for a person.
   *
   * @param sessionStep what the start of the session does, while there is no command
   */
  describe(elapsedMs: number, sessionStep: string): string {
    if (!this.hasBegun) return sessionStep
    const elapsed = `running for ${Math.round(elapsedMs / 1000)} s`
    if (this.outputBytes === 0) return elapsed
    return `${elapsed}, ${this.outputBytes} bytes of output: ${this.lastLine()}`
  }

  private lastLine(): string {
    const lines = Buffer.from(this.tail)
      .toString('utf8')
      .split(/[\r\n]+/)
    const line = lines.findLast((each) => each.trim() !== '') ?? ''
    // It goes to a person's terminal: nothing in it may move the cursor.
    return line.replace(/\p{C}/gu, '').trim().slice(-maxLineLength)
  }
}

const tailBytes = 1024

function lastBytes(bytes: Uint8Array): Uint8Array {
  // A copy, since a chunk may be a view of much more.
  return Uint8Array.from(bytes.subarray(-tailBytes))
}

const calls = new AsyncLocalStorage<CommandWatch>()

/** Runs `call` so that the commands it starts are seen by `watch`. */
export function watching<Result>(watch: CommandWatch, call: () => Result): Result {
  return calls.run(watch, call)
}

/** Who watches the command that is being started, if anybody does. */
export function currentWatch(): CommandWatch | undefined {
  return calls.getStore()
}
