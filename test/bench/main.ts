import { parseArgs } from 'node:util'
import { connectEngine, DEFAULT_IMAGE, ensureImage } from 'dsh-container'
import { BareExecSubject } from './bare-exec-subject.ts'
import { type BenchmarkCase, cases } from './cases.ts'
import { ExecutorSubject } from './executor-subject.ts'
import { recipes } from './recipes.ts'
import { type CaseResults, describeMachine, renderTable } from './report.ts'
import { summarise } from './statistics.ts'
import type { Subject, SubjectName } from './subject.ts'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** Only these cases; may be repeated. */
    case: { type: 'string', multiple: true },
    /** Multiplies the rounds of each case. */
    scale: { type: 'string', default: '1' },
  },
})

const engine = await connectEngine()
const socketPath = engine.endpoint.socketPath
if (socketPath === undefined) throw new Error('the benchmark wants an engine on a unix socket')
const { reference: image } = await ensureImage(engine, { reference: DEFAULT_IMAGE, pull: 'missing' })
const selected = cases.filter(({ name }) => options.case === undefined || options.case.includes(name))

const subjects: Subject[] = []
try {
  for (const [name, recipe] of recipes(engine.endpoint.host, socketPath))
    subjects.push(await ExecutorSubject.create(name, recipe))
  const session = subjects.find(({ supervised }) => supervised !== undefined)?.supervised
  if (session === undefined) throw new Error('no subject runs its commands by a supervisor')
  subjects.push(await BareExecSubject.create(socketPath, image, session))
  const report = { ...describeMachine(engine, image), cases: {} as Record<string, CaseResults> }
  for (const benchmarkCase of selected) {
    process.stderr.write(`${benchmarkCase.name} …\n`)
    report.cases[benchmarkCase.name] = await measure(benchmarkCase, subjects, Number(options.scale))
  }
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : `${renderTable(report, selected)}\n`)
} finally {
  for (const subject of subjects) await subject[Symbol.asyncDispose]()
}

/** Interleaved: each round measures every subject once, so that a noisy moment strikes all of them. */
async function measure(
  { rounds, unit, measure: take }: BenchmarkCase,
  subjects: readonly Subject[],
  scale: number,
): Promise<CaseResults> {
  const samples = new Map<SubjectName, number[]>()
  const count = Math.max(1, Math.round(rounds * scale))
  // Round 0 warms up and is not counted; what is done once warms up nothing.
  for (let round = rounds === 1 ? 1 : 0; round <= count; round++) {
    for (const subject of subjects) {
      const sample = await take(subject)
      if (sample === undefined || round === 0) continue
      samples.set(subject.name, [...(samples.get(subject.name) ?? []), sample])
    }
  }
  return Object.fromEntries([...samples].map(([name, values]) => [name, summarise(unit, values)]))
}
