import type { ProcessSinks } from 'dsh-bash-process'
import { type BrokenExecutor, withOutput, withProcess, withResult, withSinks } from './broken-executor.ts'

/** Faults in what is kept of the output. */
export const brokenOutput: readonly BrokenExecutor[] = [
  {
    fault: 'hides that output is held',
    behaviour: 'held-output',
    executor: withResult(({ outputHeld: _held, ...result }) => result),
    rejectedBy: ['is reported, or the manifest disclaims it'],
  },
  {
    fault: 'drops late output',
    behaviour: 'late-output',
    executor: withProcess((process) => ({
      drained: new Promise<void>((resolve) => {
        void process.exited.then(
          () => setTimeout(resolve, 50),
          () => resolve(),
        )
      }),
    })),
    rejectedBy: ['is read through the task, or the manifest disclaims it'],
  },
  {
    fault: 'keeps one byte less than the cap',
    behaviour: 'output-cap',
    executor: withOutput((output) => (output.truncated ? { ...output, text: output.text.slice(1) } : output)),
    rejectedBy: [
      'drops exactly the first byte of a stream that is one byte longer',
      'keeps the last bytes of a long stream that comes in pieces of every size',
      'counts each stream by itself',
      'cuts by bytes, within a character if need be',
    ],
  },
  {
    fault: 'names no spill file',
    behaviour: 'spill',
    executor: withOutput(({ spillPath: _path, ...output }) => output),
    rejectedBy: [
      'holds the complete stream, for commands and for the host',
      'holds bytes of every value',
      'is one for each stream',
      'may be exactly as long as maxSpillBytes',
      'does not exist for a stream that fits',
      'is gone with the executor',
    ],
  },
  {
    fault: 'denies that its spill files are private',
    behaviour: 'spill-privacy',
    lies: { privateSpill: false },
    rejectedBy: ['by mode: for its user alone, or closed to every user but for reading'],
  },
  {
    fault: 'remembers every byte',
    behaviour: 'flood',
    executor: withSinks((sinks) => ({ ...sinks, stdout: hoarding(sinks.stdout) })),
    rejectedBy: ['takes 200 MiB of stdout, keeps the tail and does not grow'],
  },
]

function hoarding(sink: ProcessSinks['stdout']): ProcessSinks['stdout'] {
  const hoard: Uint8Array[] = []
  return {
    write: (chunk) => {
      hoard.push(Uint8Array.from(chunk))
      return sink.write(chunk)
    },
    skip: (byteCount) => sink.skip(byteCount),
    spilled: (path) => sink.spilled(path),
  }
}
