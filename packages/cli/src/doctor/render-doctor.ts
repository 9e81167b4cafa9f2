import type { styleText } from 'node:util'
import type { EngineCandidate, ProbeResult } from 'dsh-container'
import type { DoctorReport } from './doctor-report.ts'

type Style = Parameters<typeof styleText>[0]

/** Colours a text, or gives it back as it is. */
export type Paint = (style: Style, text: string) => string

const probeStyles = {
  ok: 'green',
  warning: 'yellow',
  failed: 'red',
  unknown: 'gray',
} as const satisfies Record<ProbeResult['status'], Style>

const outcomeStyles = {
  taken: 'green',
  failed: 'red',
  'not-tried': 'gray',
} as const satisfies Record<EngineCandidate['outcome'], Style>

const statusWidth = 'not-tried'.length

/** What `bash-docker doctor` says. */
export function renderDoctor({ versions, candidates, probes, ok }: DoctorReport, paint: Paint): string {
  const { bashDocker, node, engine, api, components } = versions
  const known = { 'bash-docker': bashDocker, Node: node, Engine: engine, API: api, ...components }
  const versionLines = Object.entries(known).flatMap(([name, version]) =>
    version === undefined ? [] : [`  ${name} ${version}`],
  )
  const sections = [
    ['Engines', ...candidates.map((candidate) => candidateLine(candidate, paint))],
    ['Versions', ...versionLines],
    ...(probes.length === 0 ? [] : [['Probes', ...probes.flatMap((probe) => probeLines(probe, paint))]]),
    [verdict(ok, probes, paint)],
  ]
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function candidateLine({ outcome, source, name, host, version, reason }: EngineCandidate, paint: Paint): string {
  const place = host === undefined || host === name ? name : `${name} (${host})`
  const named = source === 'known-socket' ? place : `${source}: ${place}`
  return `  ${status(outcome, outcomeStyles[outcome], paint)}  ${named}: ${reason ?? `Engine ${version}`}`
}

function probeLines({ status: found, name, detail, hint }: ProbeResult, paint: Paint): string[] {
  const line = `  ${status(found, probeStyles[found], paint)}  ${name}: ${detail}`
  return hint === undefined ? [line] : [line, `  ${' '.repeat(statusWidth)}  → ${hint}`]
}

function status(text: string, style: Style, paint: Paint): string {
  return paint(style, text.padEnd(statusWidth))
}

function verdict(ok: boolean, probes: readonly ProbeResult[], paint: Paint): string {
  if (ok) return paint('green', 'Commands can be run.')
  const failed = probes.filter((probe) => probe.status === 'failed').map(({ name }) => name)
  return paint('red', failed.length === 0 ? 'No engine can be used.' : `Failed: ${failed.join(', ')}.`)
}
