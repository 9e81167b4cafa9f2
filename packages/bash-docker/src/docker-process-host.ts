import {
  type HostedProcess,
  type ProcessHost,
  type ProcessSinks,
  type ProcessSpec,
  spillUnavailable,
} from 'dsh-bash-process'
import type { ResolvedDockerConfig } from './config.ts'
import type { SessionObserver } from './session-event.ts'
import { openTransport, type Transport } from './transport.ts'

/** Runs commands in the container of their owner's session. */
export class DockerProcessHost implements ProcessHost {
  private readonly transport: Transport

  constructor(config: ResolvedDockerConfig, observe: SessionObserver = () => undefined) {
    this.transport = openTransport(config, observe)
  }

  spawn(spec: ProcessSpec, sinks: ProcessSinks, cancel: AbortSignal): HostedProcess {
    return this.transport.spawn(spec, sinks, cancel)
  }

  async *readSpill(path: string): AsyncIterable<Uint8Array> {
    for (const session of await this.transport.sessions.list()) {
      const bytes = session.readSpill(path)
      if (bytes !== undefined) return yield* bytes
    }
    throw spillUnavailable(path)
  }

  dispose(): Promise<void> {
    return this.transport.sessions.dispose()
  }
}
