import { SpillDirectory, type SpillFile } from 'dsh-bash-process'
import {
  type ContainerUlimit,
  type ContainerUser,
  type Engine,
  type SandboxContainer,
  startContainer,
} from 'dsh-container'
import type { ResolvedDockerConfig } from './config.ts'
import { Session, type SessionOrigin } from './session.ts'
import { sessionContainerSpec, sessionUser } from './session-spec.ts'

/** Where a session's container sees its spill files. */
const spillWorldPath = '/run/bash-docker/spill'

/** A session whose commands are Docker execs, and whose spill files lie on this host. */
export class ExecSession extends Session {
  private readonly spills: SpillDirectory | undefined

  private constructor(
    container: SandboxContainer,
    user: ContainerUser,
    image: string,
    idleMs: number,
    spills: SpillDirectory | undefined,
  ) {
    super(container, user, image, idleMs)
    this.spills = spills
  }

  /** @throws what `startContainer` throws; nothing is left behind then */
  static async start(
    config: ResolvedDockerConfig,
    engine: Engine,
    origin: SessionOrigin,
    signal: AbortSignal,
  ): Promise<ExecSession> {
    const user = sessionUser(config, origin.workspace)
    const spills = openSpillDirectory(engine, user)
    try {
      const spec = sessionContainerSpec(config, engine, origin)
      const spillMounts =
        spills === undefined ? [] : [{ source: spills.hostPath, target: spillWorldPath, readOnly: true }]
      const container = await startContainer(
        engine,
        {
          ...spec,
          main: { kind: 'wait' },
          mounts: [...spec.mounts, ...spillMounts],
          ulimits: [...spec.ulimits, ...openFilesLimit(config)],
        },
        signal,
      )
      return new ExecSession(container, user, origin.image.reference, config.idleMs, spills)
    } catch (error) {
      spills?.remove()
      throw error
    }
  }

  /** @throws when this session has no place for spill files */
  openSpill(stream: 'stdout' | 'stderr'): SpillFile {
    if (this.spills === undefined) throw new Error('the session has no place for spill files')
    return this.spills.open(stream)
  }

  override readSpill(path: string): AsyncIterable<Uint8Array> | undefined {
    return this.spills?.has(path) === true ? this.spills.read(path) : undefined
  }

  protected override forget(): void {
    super.forget()
    this.spills?.remove()
  }
}

function openFilesLimit({ limits: { openFiles } }: ResolvedDockerConfig): ContainerUlimit[] {
  return openFiles === undefined ? [] : [{ name: 'nofile', soft: openFiles, hard: openFiles }]
}

/**
 * A folder of this host that the container sees. An engine elsewhere cannot mount it, and files
 * that cannot be given to the commands' user are none of theirs: a spill is withheld then.
 */
function openSpillDirectory(engine: Engine, user: ContainerUser): SpillDirectory | undefined {
  if (!engine.isLocal) return undefined
  try {
    return new SpillDirectory({ worldPath: spillWorldPath, ...user })
  } catch {
    return undefined // EPERM: this process may not change owners
  }
}
