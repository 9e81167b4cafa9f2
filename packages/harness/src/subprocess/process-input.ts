import { Writable } from 'node:stream'
import type { SubprocessStdinMode } from '@deepseek-ai/dsh-subprocess'
import type { SupervisedCommand } from 'dsh-container'

/**
 * A process's stdin as a stream. What is written before the process exists waits; what nobody reads
 * any more is dropped.
 */
export class ProcessInput extends Writable {
  private readonly command: Promise<SupervisedCommand>

  constructor(command: Promise<SupervisedCommand>) {
    super()
    this.command = command
    // Nobody is left to write to.
    const destroy = (): unknown => this.destroy()
    command.then(({ gone }) => gone).then(destroy, destroy)
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.command
      .then(({ stdin }) => stdin.write(chunk))
      .then(
        () => done(),
        () => done(), // the process's `done` carries it
      )
  }

  override _final(done: (error?: Error | null) => void): void {
    this.command
      .then(({ stdin }) => stdin.end())
      .then(
        () => done(),
        () => done(), // as above
      )
  }
}

/** Sends what the caller gave, and the end of it. */
export function sendInput(mode: SubprocessStdinMode, command: SupervisedCommand): void {
  if (typeof mode === 'string') return
  void command.stdin.write(Buffer.from(mode.data))
  command.stdin.end()
}
