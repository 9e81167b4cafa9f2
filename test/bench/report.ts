import { cpus, release, totalmem } from 'node:os'
import type { Engine } from 'dsh-container'
import type { BenchmarkCase } from './cases.ts'
import type { Measurement } from './statistics.ts'
import { type SubjectName, subjectNames } from './subject.ts'

export type CaseResults = Partial<Record<SubjectName, Measurement>>

/** The one object of `--json`. */
export interface BenchmarkReport {
  machine: { cpu: string; cpuCount: number; memoryBytes: number; kernel: string }
  versions: { node: string; engine: string; api: string; image: string }
  cases: Record<string, CaseResults>
}

export function describeMachine(engine: Engine, image: string): Omit<BenchmarkReport, 'cases'> {
  const processors = cpus()
  return {
    machine: {
      cpu: processors[0]?.model ?? 'unknown',
      cpuCount: processors.length,
      memoryBytes: totalmem(),
      kernel: release(),
    },
    versions: { node: process.version, engine: engine.serverVersion, api: engine.apiVersion, image },
  }
}

/** The report as a Markdown table, each median with its ratio to `bash-local`. */
export function renderTable(report: BenchmarkReport, cases: readonly BenchmarkCase[]): string {
  const { machine, versions } = report
  const lines = [
    `${machine.cpu}, ${machine.cpuCount} cores, kernel ${machine.kernel}; Node ${versions.node}, engine ${versions.engine}`,
    '',
    `| case | ${subjectNames.map((name) => `${name}, median / p95`).join(' | ')} |`,
    `| --- | ${subjectNames.map(() => '---').join(' | ')} |`,
  ]
  for (const { name, what, unit } of cases) {
    const results = report.cases[name]
    if (results === undefined) continue
    lines.push(`| ${name} (${unit}): ${what} | ${subjectNames.map((subject) => cell(results, subject)).join(' | ')} |`)
  }
  return lines.join('\n')
}

function cell(results: CaseResults, subject: SubjectName): string {
  const result = results[subject]
  if (result === undefined) return '–'
  const base = results['bash-local']
  const ratio = base === undefined || subject === 'bash-local' ? '' : ` (${(result.median / base.median).toFixed(2)} ×)`
  return `${result.median.toFixed(1)} / ${result.p95.toFixed(1)}${ratio}`
}
