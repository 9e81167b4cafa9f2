import type { BashSandboxFacts } from 'dsh-bash'
import type { ContainerUser, PresentImage, SandboxContainer } from 'dsh-container'
import type { Workspace } from './workspace.ts'

/** From what a session starts. */
export interface SessionOrigin {
  /** Whose it is; `spare` for one that waits for its owner. */
  key: string
  image: PresentImage
  workspace: Workspace | undefined
}

/** One live container, and what belongs to it whatever the transport of its commands. */
export abstract class Session {
  readonly container: SandboxContainer
  readonly user: ContainerUser
  readonly facts: BashSandboxFacts
  private runningCount = 0
  private idleTimer: NodeJS.Timeout | undefined
  private readonly idleMs: number

  protected constructor(container: SandboxContainer, user: ContainerUser, image: string, idleMs: number) {
    this.container = container
    this.user = user
    this.facts = { kind: 'docker', sessionId: container.sessionId, image }
    this.idleMs = idleMs
    void container.ended.then(() => this.forget())
  }

  /** A command begins to use it: it is not idle until as many {@link leave}. */
  enter(): void {
    this.runningCount += 1
    clearTimeout(this.idleTimer)
  }

  leave(): void {
    this.runningCount -= 1
    if (this.runningCount > 0 || this.container.isEnded) return
    this.idleTimer = setTimeout(() => void this.end(), this.idleMs)
    this.idleTimer.unref()
  }

  /** Ends every process in it and removes the container. */
  async end(): Promise<void> {
    await this.container.end()
    this.forget()
  }

  /** The bytes of one of its spill files; undefined when the path is none of them. */
  abstract readSpill(path: string): AsyncIterable<Uint8Array> | undefined

  /** The container is gone: whatever this process keeps for it goes too. May be called more than once. */
  protected forget(): void {
    clearTimeout(this.idleTimer)
  }
}
