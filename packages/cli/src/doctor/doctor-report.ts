import { discoverEngine, type Engine, type EngineCandidate, probeEngine, type ProbeResult } from 'dsh-container'
import type { EngineChoice } from '../engine/engine-options.ts'
import { programVersion } from '../program-version.ts'

/** What `doctor --json` prints, on one line. */
export interface DoctorReport {
  /** An engine was taken, and no probe failed. */
  ok: boolean
  versions: {
    bashDocker: string
    node: string
    engine?: string
    /** The negotiated API. */
    api?: string
    /** Such as `containerd` and `runc`, where the engine tells them. */
    components?: Readonly<Record<string, string>>
  }
  /** Each place where an engine may be, in the order of the search, and why it was taken or not. */
  candidates: readonly EngineCandidate[]
  /** What the engine can and cannot enforce. */
  probes: readonly ProbeResult[]
}

/**
 * Looks for an engine and tries what it can do. Never throws for an engine that fails.
 *
 * @throws `CONFIG_INVALID`
 */
export async function examine(choice: EngineChoice, image: string | undefined): Promise<DoctorReport> {
  const { engine, candidates } = await discoverEngine(choice)
  const probes = engine === undefined ? [] : await probeEngine(engine, image === undefined ? {} : { image })
  return {
    ok: engine !== undefined && probes.every(({ status }) => status !== 'failed'),
    versions: { bashDocker: programVersion(), node: process.versions.node, ...engineVersions(engine) },
    candidates,
    probes,
  }
}

function engineVersions(engine: Engine | undefined): Omit<DoctorReport['versions'], 'bashDocker' | 'node'> {
  if (engine === undefined) return {}
  return { engine: engine.serverVersion, api: engine.apiVersion, components: engine.version.components }
}
