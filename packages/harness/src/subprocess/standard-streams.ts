import type { Readable } from 'node:stream'
import type { SubprocessCollectedOutputs, SubprocessOutputMode, SubprocessStdio } from '@deepseek-ai/dsh-subprocess'
import { CollectedStream } from './collected-stream.ts'
import { InheritedStream, type OutputStream, PipedStream } from './output-stream.ts'

/** The output streams of a process, and what the caller gets of them. */
export interface StandardStreams {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly readable: { readonly stdout: Readable | undefined; readonly stderr: Readable | undefined }
  readonly collected: SubprocessCollectedOutputs
  /** Nothing is added any more to what was collected. */
  endCollected(): void
  /** Whoever reads a pipe finds its end. */
  endPipes(): void
}

export function standardStreams(stdio: SubprocessStdio): StandardStreams {
  const stdout = outputStream(stdio.stdout, process.stdout)
  const stderr = outputStream(stdio.stderr, process.stderr)
  return {
    stdout,
    stderr,
    readable: { stdout: readableOf(stdout), stderr: readableOf(stderr) },
    collected: {
      ...(stdout instanceof CollectedStream ? { stdout } : {}),
      ...(stderr instanceof CollectedStream ? { stderr } : {}),
    },
    endCollected: () => endEach([stdout, stderr], CollectedStream),
    endPipes: () => endEach([stdout, stderr], PipedStream),
  }
}

function endEach(streams: readonly OutputStream[], kind: typeof CollectedStream | typeof PipedStream): void {
  for (const stream of streams) if (stream instanceof kind) stream.end()
}

function outputStream(mode: SubprocessOutputMode, inherited: NodeJS.WriteStream): OutputStream {
  if (mode === 'pipe') return new PipedStream()
  if (mode === 'inherit') return new InheritedStream(inherited)
  return new CollectedStream(mode.maxBytes)
}

function readableOf(stream: OutputStream): Readable | undefined {
  return stream instanceof PipedStream ? stream.readable : undefined
}
