import { isSandboxError, messageOf } from 'dsh-bash-error'
import type { Engine } from '../../engine/engine.ts'
import type { SupervisorHello } from '../../supervisor/frame-payloads.ts'
import { startSupervised } from '../../supervisor/start-supervised.ts'
import type { Finding, ProbeResult } from '../probe-result.ts'
import { probeContainerSpec } from './probe-container.ts'

const mebibyte = 1024 ** 2

/** Starts the supervisor once and judges what it says of its kernel and container. Never throws. */
export async function probeSupervisor(engine: Engine, image: string): Promise<ProbeResult> {
  const { main: _waits, ...spec } = probeContainerSpec(engine, image)
  try {
    const terms = { spillQuotaBytes: mebibyte, maxCommands: 16, watchedPaths: [] }
    const { container, supervisor } = await startSupervised(engine, spec, terms)
    try {
      return { name: 'supervisor', ...judgeHello(await supervisor.hello) }
    } finally {
      await container.end()
    }
  } catch (error) {
    const hint = isSandboxError(error) ? error.hint : undefined
    return { name: 'supervisor', status: 'failed', detail: messageOf(error), ...(hint === undefined ? {} : { hint }) }
  }
}

/** What a supervisor lacks for everything that it promises; pure. */
export function judgeHello(hello: SupervisorHello): Finding {
  const lacking = [
    hello.subreaper ? undefined : 'a subreaper, so that a tree is known less exactly',
    hello.guardUid >= 0 ? undefined : 'a user of its own, so that commands of root can see its descriptors',
    hello.memoryCgroup > 0 ? undefined : 'the counters of the memory limit, so that no cause can name it',
    hello.pidsCgroup > 0 ? undefined : 'the counters of the process limit, so that no cause can name it',
    hello.spillErrno === 0 ? undefined : 'a place for spill files',
    hello.terminalErrno === 0 ? undefined : 'terminals',
  ].filter((text) => text !== undefined)
  if (lacking.length === 0) return { status: 'ok', detail: 'it runs, and has everything that it needs' }
  return { status: 'warning', detail: `it runs without ${lacking.join('; without ')}` }
}
