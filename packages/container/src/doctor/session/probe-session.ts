import { isSandboxError, messageOf } from 'dsh-bash-error'
import { startContainer } from '../../container/start-container.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Finding, ProbeResult } from '../probe-result.ts'
import { memoryLimitProbe, pidsLimitProbe } from './cgroup-limits.ts'
import { noNetworkProbe } from './no-network.ts'
import { probeContainerSpec } from './probe-container.ts'
import { processStatusProbes } from './process-status.ts'
import { readOnlyRootProbe } from './read-only-root.ts'
import { probeRemoval, removalProbeName } from './removal.ts'
import type { SessionProbe } from './session-probe.ts'
import { signalProbe } from './signal.ts'
import { startFailureProbe } from './start-failure.ts'
import { stdinEndProbe } from './stdin-end.ts'

const sessionProbes: readonly SessionProbe[] = [
  ...processStatusProbes,
  readOnlyRootProbe,
  noNetworkProbe,
  pidsLimitProbe,
  memoryLimitProbe,
  stdinEndProbe,
  startFailureProbe,
  signalProbe,
]

const startProbeName = 'session-start'

/** Starts one hardened container, tries everything in it, one after the other, and removes it. Never throws. */
export async function probeSession(engine: Engine, image: string): Promise<ProbeResult[]> {
  const spec = probeContainerSpec(engine, image)
  const started = await startContainer(engine, spec).catch(failure)
  if ('status' in started) {
    const detail = 'no container could be started to try it in'
    const names = [...sessionProbes.map(({ name }) => name), removalProbeName]
    return [
      { name: startProbeName, ...started },
      ...names.map((name) => ({ name, status: 'unknown' as const, detail })),
    ]
  }
  const results: ProbeResult[] = [{ name: startProbeName, status: 'ok', detail: 'a hardened container starts' }]
  for (const { name, hint, run } of sessionProbes) {
    const finding = await run(started, spec).catch(failure)
    results.push({ name, ...(finding.status === 'failed' && hint !== undefined && { hint }), ...finding })
  }
  results.push({ name: removalProbeName, ...(await probeRemoval(engine, started).catch(failure)) })
  return results
}

function failure(error: unknown): Finding {
  return {
    status: 'failed',
    detail: messageOf(error),
    // The hint of SESSION_START_FAILED names the doctor.
    ...(isSandboxError(error) && error.code !== 'SESSION_START_FAILED' ? { hint: error.hint } : {}),
  }
}
