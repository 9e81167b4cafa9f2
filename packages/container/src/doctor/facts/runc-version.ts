import type { FactProbe } from './fact-probe.ts'
import { isReleaseIn } from './release.ts'
import { component, notReported } from './versions.ts'

/** By the changelog of runc: CVE-2026-41579 and the hang of a very short exec are repaired in these. */
const repaired = '>=1.3.6 <1.4.0-0 || >=1.4.3 <1.5.0-0 || >=1.5.0-rc.3'

/** runc starts every process of a container; several escapes went through it. */
export const runcVersionProbe: FactProbe = {
  name: 'runc-version',
  judge: (facts) => {
    const version = component(facts, 'runc')
    if (version === undefined) return notReported('runc')
    const isRepaired = isReleaseIn(version, repaired)
    if (isRepaired === undefined) {
      return {
        status: 'unknown',
        detail: `runc ${version} is built by a distribution, which repairs it under its own numbers`,
        hint: "See the distribution's list of security notices.",
      }
    }
    if (isRepaired) return { status: 'ok', detail: `runc ${version}` }
    return {
      status: 'warning',
      detail: `runc ${version} has known weaknesses (CVE-2026-41579 and, before 1.2.8 and 1.3.3, older ones)`,
      hint: 'Update runc to 1.3.6, 1.4.3 or later.',
    }
  },
}
