import type { Subject } from './subject.ts'

const mebibyte = 1024 * 1024
const dataBytes = 100 * mebibyte

/** One thing to measure, the same work for every subject. */
export interface BenchmarkCase {
  readonly name: string
  readonly what: string
  /** Rounds of an ordinary run; each round measures every subject once, one after the other. */
  readonly rounds: number
  /** Does the work once; resolves with the milliseconds it took. */
  measure(subject: Subject): Promise<number>
}

export const cases: readonly BenchmarkCase[] = [
  {
    name: 'warm-true',
    what: '`true` in a warm session',
    rounds: 60,
    measure: (subject) => timed(() => subject.run('true')),
  },
  {
    name: 'concurrent-32',
    what: '32 times `true` at once',
    rounds: 8,
    measure: (subject) => timed(() => Promise.all(Array.from({ length: 32 }, () => subject.run('true')))),
  },
  {
    name: 'stdout-100MiB',
    what: '100 MiB printed by `head -c`, default caps',
    rounds: 5,
    measure: async (subject) => {
      let printedBytes = 0
      const ms = await timed(async () => {
        printedBytes = await subject.run(`head -c ${dataBytes} /dev/zero`)
      })
      assertBytes(printedBytes)
      return ms
    },
  },
  {
    name: 'stdin-100MiB',
    what: '100 MiB of stdin to `wc -c`',
    rounds: 5,
    measure: (subject) => timed(() => subject.run(`[ "$(wc -c)" -eq ${dataBytes} ]`, stdinData())),
  },
  {
    name: 'session-start',
    what: 'a new session until its first `true` has ended',
    rounds: 8,
    measure: (subject) => subject.startSession(),
  },
]

let cachedStdin: string | undefined

function stdinData(): string {
  cachedStdin ??= 'x'.repeat(dataBytes)
  return cachedStdin
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

function assertBytes(printedBytes: number): void {
  if (printedBytes !== dataBytes) throw new Error(`${printedBytes} bytes came of ${dataBytes}`)
}
