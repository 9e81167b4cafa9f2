import type { Engine } from '../engine/engine.ts'
import { DEFAULT_IMAGE } from '../image/default-image.ts'
import { archiveEndpointProbe } from './facts/archive-endpoint.ts'
import { engineWarningsProbe } from './facts/engine-warnings.ts'
import type { EngineFacts, FactProbe } from './facts/fact-probe.ts'
import { initProbe } from './facts/init.ts'
import { cgroupProbe, limitProbes } from './facts/limits.ts'
import { runcVersionProbe } from './facts/runc-version.ts'
import { runtimesProbe } from './facts/runtimes.ts'
import { mandatoryAccessProbe, seccompProbe, userNamespaceProbe } from './facts/security-options.ts'
import { storageProbe } from './facts/storage.ts'
import { apiVersionProbe, containerdVersionProbe, engineVersionProbe } from './facts/versions.ts'
import { probeImage } from './probe-image.ts'
import type { ProbeResult } from './probe-result.ts'
import { probeSession } from './session/probe-session.ts'
import { probeSupervisor } from './session/probe-supervisor.ts'

export interface ProbeEngineOptions {
  /** What the session is tried with; must be on the engine. The default image, if not given. */
  readonly image?: string
}

const factProbes: readonly FactProbe[] = [
  apiVersionProbe,
  engineVersionProbe,
  containerdVersionProbe,
  runcVersionProbe,
  archiveEndpointProbe,
  seccompProbe,
  mandatoryAccessProbe,
  userNamespaceProbe,
  cgroupProbe,
  ...limitProbes,
  storageProbe,
  runtimesProbe,
  initProbe,
  engineWarningsProbe,
]

/**
 * What an engine can enforce and what it cannot: by its own account, then by tries in one hardened
 * container and one start of the supervisor, both gone afterwards. Never throws: a probe that fails is a result.
 */
export async function probeEngine(engine: Engine, options: ProbeEngineOptions = {}): Promise<ProbeResult[]> {
  const reference = options.image ?? DEFAULT_IMAGE
  const image = await probeImage(engine, reference)
  if (image.status !== 'ok') return [...judgeFacts(engine), image]
  const session = await probeSession(engine, reference)
  return [...judgeFacts(engine), image, ...session, await probeSupervisor(engine, reference)]
}

/** The probes that need no container; pure. */
export function judgeFacts(facts: EngineFacts): ProbeResult[] {
  return factProbes.map(({ name, judge }) => ({ name, ...judge(facts) }))
}
