import type { BashRunResult, CollectedOutput } from 'dsh-bash'
import type { StartedSession } from 'dsh-bash-docker'
import type { PhaseTimings } from './timings.ts'

/** One stream, in JSON. */
export interface ReportedOutput extends Omit<CollectedOutput, 'bytes'> {
  /** The bytes of `text`, where they are not valid UTF-8. */
  base64?: string
}

/** The container that a command ran in, in JSON. */
export interface ReportedSession {
  id: string
  image: string
  /** The container's name, and its id on the engine. */
  container: string
  containerId: string
  /** Of the commands. */
  user: { uid: number; gid: number }
  workspace: { path: string; access: 'read-only' | 'read-write' } | null
}

/** What `run --json` prints of a command that ran, on one line. */
export interface RunReport extends Omit<BashRunResult, 'stdout' | 'stderr'> {
  stdout: ReportedOutput
  stderr: ReportedOutput
  /** Null for a command of this host. */
  session: ReportedSession | null
  timings: PhaseTimings
}

export function runReport(
  result: BashRunResult,
  session: StartedSession | undefined,
  timings: PhaseTimings,
): RunReport {
  return {
    ...result,
    stdout: reportedOutput(result.stdout),
    stderr: reportedOutput(result.stderr),
    session: session === undefined ? null : reportedSession(session),
    timings,
  }
}

function reportedOutput({ bytes, ...output }: CollectedOutput): ReportedOutput {
  return bytes === undefined ? output : { ...output, base64: Buffer.from(bytes).toString('base64') }
}

function reportedSession({ sessionId, image, container, user, workspace }: StartedSession): ReportedSession {
  return {
    id: sessionId,
    image,
    container: container.name,
    containerId: container.id,
    user,
    workspace:
      workspace === undefined
        ? null
        : { path: workspace.path, access: workspace.readOnly ? 'read-only' : 'read-write' },
  }
}
