import { residentBytes } from './session-container.ts'
import type { Unit } from './statistics.ts'
import type { Subject } from './subject.ts'

const mebibyte = 1024 * 1024
const gibibyte = 1024 * mebibyte

/** One thing to measure, the same work for every subject. */
export interface BenchmarkCase {
  readonly name: string
  readonly what: string
  readonly unit: Unit
  /** Rounds of an ordinary run; each round measures every subject once, one after the other. */
  readonly rounds: number
  /** Does the work once; resolves with what it took. Undefined for a subject that cannot do it. */
  measure(subject: Subject): Promise<number> | undefined
}

/** Long enough for the whole tree to stand. */
const treeTimeoutMs = 1000

/** Fifty processes: plain children, sessions of their own, and orphans without their environment; all ignore TERM. */
const treeOf50 = [
  'trap "" TERM',
  'for i in {1..20}; do sleep 600 & done',
  'for i in {1..15}; do setsid sleep 600 & done',
  'for i in {1..14}; do (env -i setsid sleep 600 &); done',
  'wait',
].join('; ')

export const cases: readonly BenchmarkCase[] = [
  {
    name: 'warm-true',
    what: '`true` in a warm session',
    unit: 'ms',
    rounds: 100,
    measure: (subject) => timed(() => subject.run('true')),
  },
  {
    name: 'concurrent-32',
    what: '32 times `true` at once',
    unit: 'ms',
    rounds: 8,
    measure: (subject) => timed(() => Promise.all(Array.from({ length: 32 }, () => subject.run('true')))),
  },
  {
    name: 'sustained-1000',
    what: '1,000 times `true`, 8 at a time',
    unit: 'ms',
    rounds: 2,
    // An exec takes tens of milliseconds: a thousand would measure patience.
    measure: (subject) => (isExec(subject) ? undefined : timed(() => byEight(subject, 1000))),
  },
  {
    name: 'stdout-100MiB',
    what: '100 MiB printed, default caps',
    unit: 'ms',
    rounds: 5,
    measure: (subject) => timed(() => prints(subject, 100 * mebibyte)),
  },
  {
    name: 'stdout-1GiB',
    what: '1 GiB printed, default caps',
    unit: 'ms',
    rounds: 3,
    measure: (subject) => (isExec(subject) ? undefined : timed(() => prints(subject, gibibyte))),
  },
  {
    name: 'stream-1GiB',
    what: '1 GiB printed, every byte delivered to the host',
    unit: 'ms',
    rounds: 3,
    measure: (subject) => {
      const { stream } = subject
      if (stream === undefined) return undefined
      return timed(async () => assertBytes(await stream.call(subject, `head -c ${gibibyte} /dev/zero`), gibibyte))
    },
  },
  {
    name: 'stdin-100MiB',
    what: '100 MiB of stdin to `wc -c`',
    unit: 'ms',
    rounds: 15,
    measure: (subject) => timed(() => subject.run(`[ "$(wc -c)" -eq ${100 * mebibyte} ]`, stdinData())),
  },
  {
    name: 'tree-of-50',
    what: 'from a timeout to the proof that a tree of 50 with escapees is dead; the grace is 300 ms',
    unit: 'ms',
    rounds: 5,
    measure: (subject) => (subject.name === 'bash-docker' ? subject.timeOut?.(treeOf50, treeTimeoutMs) : undefined),
  },
  {
    name: 'memory-10GiB',
    what: 'growth of the host process while a command prints 10 GiB',
    unit: 'MiB',
    rounds: 1,
    measure: (subject) => (subject.name === 'bash-docker' ? growthWhilePrinting(subject) : undefined),
  },
  {
    name: 'supervisor-10000',
    what: 'resident size of the supervisor after 10,000 commands',
    unit: 'MiB',
    rounds: 1,
    measure: (subject) => {
      const { supervised } = subject
      if (supervised === undefined) return undefined
      return byEight(subject, 10_000).then(() => residentBytes(supervised) / mebibyte)
    },
  },
  {
    name: 'session-start',
    what: 'a further session of an executor until its first `true` has ended; for docker-exec create, attach and start of its container',
    unit: 'ms',
    rounds: 20,
    measure: (subject) => subject.startSession(),
  },
  {
    name: 'first-session-start',
    what: 'the same for the first session of an executor, which has to find the engine',
    unit: 'ms',
    rounds: 4,
    measure: (subject) => subject.startFirstSession?.(),
  },
  {
    name: 'session-start-spare',
    what: 'a further session with one spare kept warm',
    unit: 'ms',
    rounds: 3,
    measure: (subject) => subject.startSpareSession?.(),
  },
]

function isExec(subject: Subject): boolean {
  return subject.name === 'docker-exec' || subject.name === 'bash-docker-exec'
}

async function byEight(subject: Subject, total: number): Promise<void> {
  let left = total
  const worker = async (): Promise<void> => {
    while (left-- > 0) await subject.run('true')
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

async function prints(subject: Subject, byteCount: number): Promise<void> {
  assertBytes(await subject.run(`head -c ${byteCount} /dev/zero`), byteCount)
}

let cachedStdin: string | undefined

function stdinData(): string {
  cachedStdin ??= 'x'.repeat(100 * mebibyte)
  return cachedStdin
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

async function growthWhilePrinting(subject: Subject): Promise<number> {
  // What the first output ever makes the process grow by is not this command's.
  await subject.run('head -c 1G /dev/zero')
  return peakGrowth(() => subject.run('head -c 10G /dev/zero'))
}

/** In MiB, by the resident size every few milliseconds. */
async function peakGrowth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let peak = before
  const look = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  try {
    await work()
  } finally {
    clearInterval(look)
  }
  return (peak - before) / mebibyte
}

function assertBytes(printedBytes: number, expectedBytes: number): void {
  if (printedBytes !== expectedBytes) throw new Error(`${printedBytes} bytes came of ${expectedBytes}`)
}
