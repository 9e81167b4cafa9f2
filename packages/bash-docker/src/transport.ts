import { CommandMarkers, type HostedProcess, type ProcessSinks, type ProcessSpec } from 'dsh-bash-process'
import type { ResolvedDockerConfig } from './config.ts'
import { ExecProcess } from './exec-process.ts'
import { ExecSession } from './exec-session.ts'
import type { Session } from './session.ts'
import type { SessionObserver } from './session-event.ts'
import { SessionPool } from './session-pool.ts'
import { SupervisedProcess } from './supervised-process.ts'
import { SupervisedSession } from './supervised-session.ts'

/** How commands reach the containers of their sessions. */
export interface Transport {
  readonly sessions: SessionPool<Session>
  spawn(spec: ProcessSpec, sinks: ProcessSinks, cancel: AbortSignal): HostedProcess
}

/** The transport that the configuration names. */
export function openTransport(config: ResolvedDockerConfig, observe: SessionObserver): Transport {
  return config.transport === 'exec' ? execTransport(config, observe) : supervisorTransport(config, observe)
}

function execTransport(config: ResolvedDockerConfig, observe: SessionObserver): Transport {
  const sessions = new SessionPool(config, observe, ExecSession.start)
  const markers = new CommandMarkers()
  return {
    sessions,
    spawn: (spec, sinks, cancel) => {
      const enter = (): Promise<ExecSession> => sessions.enter(spec.owner, spec.workdir)
      return new ExecProcess(spec, sinks, cancel, enter, { inherit: config.inherit, marker: markers.next() })
    },
  }
}

function supervisorTransport(config: ResolvedDockerConfig, observe: SessionObserver): Transport {
  const sessions = new SessionPool(config, observe, SupervisedSession.start)
  const { inherit, trustedUser } = config
  return {
    sessions,
    spawn: (spec, sinks, cancel) => {
      const enter = (): Promise<SupervisedSession> => sessions.enter(spec.owner, spec.workdir)
      return new SupervisedProcess(spec, sinks, cancel, enter, { inherit, trustedUser })
    },
  }
}
