import {
  CommandMarkers,
  type HostedProcess,
  type OutputSink,
  type ProcessHost,
  type ProcessSpec,
  spillUnavailable,
} from 'dsh-bash-process'
import type { ResolvedDockerConfig } from './config.ts'
import { ExecProcess } from './exec-process.ts'
import type { SessionObserver } from './session-event.ts'
import { SessionPool } from './session-pool.ts'

/** Runs commands in the container of their owner's session. */
export class DockerProcessHost implements ProcessHost {
  private readonly config: ResolvedDockerConfig
  private readonly sessions: SessionPool
  private readonly markers = new CommandMarkers()

  constructor(config: ResolvedDockerConfig, observe: SessionObserver = () => undefined) {
    this.config = config
    this.sessions = new SessionPool(config, observe)
  }

  spawn(spec: ProcessSpec, sinks: { stdout: OutputSink; stderr: OutputSink }, cancel: AbortSignal): HostedProcess {
    const enterSession = () => this.sessions.enter(spec.owner, spec.workdir)
    return new ExecProcess(spec, sinks, cancel, enterSession, {
      inherit: this.config.inherit,
      marker: this.markers.next(),
    })
  }

  async *readSpill(path: string): AsyncIterable<Uint8Array> {
    for (const session of await this.sessions.list()) {
      const bytes = session.readSpill(path)
      if (bytes !== undefined) return yield* bytes
    }
    throw spillUnavailable(path)
  }

  dispose(): Promise<void> {
    return this.sessions.dispose()
  }
}
