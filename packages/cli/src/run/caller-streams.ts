import type { Readable } from 'node:stream'
import { messageOf, SandboxError } from 'dsh-bash-error'
import { Interrupted } from '../interrupts.ts'
import { Outlet } from '../output/outlet.ts'
import { openInput } from './input.ts'

/** The caller's standard streams, as far as the command gets them. One that fails ends the command. */
export class CallerStreams {
  readonly stdin: Readable | undefined
  /** Absent where the output is reported at the end. */
  readonly sinks: { stdout: Outlet; stderr: Outlet } | undefined
  private readonly stop: AbortController

  private constructor(stop: AbortController, stdin: Readable | undefined, handsOutputOn: boolean) {
    this.stop = stop
    this.stdin = stdin
    this.stdin?.once('error', (error) => this.fail('input', error))
    const outlet = (stream: NodeJS.WriteStream): Outlet => new Outlet(stream, (error) => this.fail('output', error))
    this.sinks = handsOutputOn ? { stdout: outlet(process.stdout), stderr: outlet(process.stderr) } : undefined
  }

  /** @throws `USAGE` when `stdinSource` cannot be read */
  static async open(
    stop: AbortController,
    { stdinSource, handsOutputOn }: { stdinSource: string | undefined; handsOutputOn: boolean },
  ): Promise<CallerStreams> {
    const stdin = stdinSource === undefined ? undefined : await openInput(stdinSource)
    return new CallerStreams(stop, stdin, handsOutputOn)
  }

  /** The command has ended: what it has printed is little, and must not wait for a slow reader to be read. */
  commandEnded(): void {
    this.sinks?.stdout.lift()
    this.sinks?.stderr.lift()
  }

  /** Resolves when all output is written. Once we are interrupted, a reader that does not read has `graceMs`. */
  async close(graceMs: number): Promise<void> {
    this.stdin?.destroy()
    const written = Promise.all([this.sinks?.stdout.flush(), this.sinks?.stderr.flush()])
    const { signal } = this.stop
    const givenUp = new Promise<void>((resolve) => {
      const giveUp = (): void => void setTimeout(resolve, graceMs)
      if (signal.aborted) giveUp()
      else signal.addEventListener('abort', giveUp, { once: true })
    })
    await Promise.race([written, givenUp])
  }

  private fail(stream: 'input' | 'output', error: NodeJS.ErrnoException): void {
    // Nobody reads any more, as with `| head -1`: what SIGPIPE is for, which Node ignores.
    if (error.code === 'EPIPE') return this.stop.abort(new Interrupted('SIGPIPE'))
    const message = `the caller's standard ${stream} failed: ${messageOf(error)}`
    this.stop.abort(new SandboxError('STREAM_FAILED', message, { context: { errno: error.code }, cause: error }))
  }
}
