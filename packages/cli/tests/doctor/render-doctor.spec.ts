import { expect, it } from 'vitest'
import type { DoctorReport } from '../../src/doctor/doctor-report.ts'
import { renderDoctor } from '../../src/doctor/render-doctor.ts'

const report: DoctorReport = {
  ok: false,
  versions: { bashDocker: '1.2.3', node: '24.0.0', engine: '28.0.0', api: '1.47', components: { runc: '1.3.0' } },
  candidates: [
    { source: 'DOCKER_HOST', name: 'unix:///a', host: 'unix:///a', outcome: 'taken', version: '28.0.0' },
    { source: 'known-socket', name: 'Docker', host: 'unix:///b', outcome: 'not-tried', reason: 'unix:///a was taken' },
  ],
  probes: [
    { name: 'no-network', status: 'ok', detail: 'there is none' },
    { name: 'limit-pids', status: 'failed', detail: 'the engine cannot', hint: 'Mount the cgroup.' },
  ],
}

it('tells each candidate, each version and each probe with its result, its reason and what to do', () => {
  expect(renderDoctor(report, (_style, text) => text)).toBe(`Engines
  taken      DOCKER_HOST: unix:///a: Engine 28.0.0
  not-tried  Docker (unix:///b): unix:///a was taken

Versions
  bash-docker 1.2.3
  Node 24.0.0
  Engine 28.0.0
  API 1.47
  runc 1.3.0

Probes
  ok         no-network: there is none
  failed     limit-pids: the engine cannot
             → Mount the cgroup.

Failed: limit-pids.
`)
})

it('says so when there is no engine, and when all is well', () => {
  const without = { ...report, versions: { bashDocker: '1.2.3', node: '24.0.0' }, probes: [] }
  expect(renderDoctor(without, (_style, text) => text)).toMatch(/\n {2}Node 24\.0\.0\n\nNo engine can be used\.\n$/)
  const well = { ...report, ok: true, probes: report.probes.slice(0, 1) }
  expect(renderDoctor(well, (_style, text) => text)).toMatch(/\n\nCommands can be run\.\n$/)
})

it('paints a status by what it means', () => {
  const painted = renderDoctor(report, (style, text) => `<${String(style)}>${text}`)
  expect(painted).toContain('<green>taken')
  expect(painted).toContain('<gray>not-tried')
  expect(painted).toContain('<red>failed')
})
