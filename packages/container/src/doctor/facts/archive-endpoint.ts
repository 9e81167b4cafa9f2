import type { FactProbe } from './fact-probe.ts'
import { isReleaseIn } from './release.ts'

/** CVE-2026-41567, CVE-2026-41568 and CVE-2026-42306 are repaired in Engine 29.5.1. */
const repaired = '>=29.5.1'

/**
 * Copying files into or out of a running container could be turned against the engine's host. A
 * session never does it; other users of the engine may.
 */
export const archiveEndpointProbe: FactProbe = {
  name: 'archive-endpoint',
  judge: ({ version }) => {
    const isRepaired = isReleaseIn(version.engine, repaired)
    if (isRepaired === true) return { status: 'ok', detail: 'copying to and from containers is repaired' }
    const hint = 'Use no `docker cp` on containers with untrusted content, or Engine 29.5.1 or later.'
    if (isRepaired === undefined) {
      return {
        status: 'unknown',
        detail: `engine ${version.engine} is built by a distribution: whether CVE-2026-41567, -41568 and -42306 are repaired cannot be told`,
        hint,
      }
    }
    return {
      status: 'warning',
      detail: `engine ${version.engine} copies to and from running containers unsafely (CVE-2026-41567, -41568, -42306); a session never does`,
      hint,
    }
  },
}
