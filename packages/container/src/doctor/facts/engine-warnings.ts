import type { FactProbe } from './fact-probe.ts'

/** What the engine itself thinks amiss. */
export const engineWarningsProbe: FactProbe = {
  name: 'engine-warnings',
  judge: ({ info }) =>
    info.warnings.length === 0
      ? { status: 'ok', detail: 'the engine has none' }
      : { status: 'warning', detail: info.warnings.map((line) => line.replace(/^WARNING:\s*/, '').trim()).join('; ') },
}
