import { setTimeout as delay } from 'node:timers/promises'
import type { TreeSignal } from 'dsh-bash-process'
import type { Session } from './session.ts'
import { parseTreeReport, treeScript } from './tree-script.ts'

const pollMs = 50
/** An exec's process exists some time after its stream does; until then there is nothing to signal. */
const appearanceMs = 2000
/** How long KILL is tried inside the container before the container itself is ended. */
const patienceMs = 3000

/** The processes of one exec, reached by further execs of the same user. */
export class ExecTree {
  /** Whether the whole session was ended because nothing less ended the command. */
  endedSession = false
  private readonly session: Session
  private readonly marker: string
  private hasExited = false
  private readonly kernelSessions = new Set<string>()
  private readonly sent = new Set<NodeJS.Signals>()
  private killingSinceMs: number | undefined

  constructor(session: Session, marker: string, exited: Promise<unknown>) {
    this.session = session
    this.marker = marker
    const markExited = (): void => {
      this.hasExited = true
    }
    exited.then(markExited, markExited)
  }

  hasSent(signal: NodeJS.Signals): boolean {
    return this.sent.has(signal)
  }

  /** Signals every process of the command that can be found, and says how many were alive. */
  async signal(signal: TreeSignal): Promise<number> {
    if (this.session.container.isEnded) return 0
    const aliveCount = await this.lookUntilSeen(signal)
    if (aliveCount > 0 && signal !== 'probe') this.sent.add(signal)
    if (signal !== 'SIGKILL' || aliveCount === 0) return aliveCount
    this.killingSinceMs ??= performance.now()
    if (performance.now() - this.killingSinceMs < patienceMs) return aliveCount
    // A runaway command must not outlive its deadline: its session ends with it.
    this.endedSession = true
    await this.session.end()
    return 0
  }

  /** While the command has not ended, finding nobody means that it cannot be seen yet. */
  private async lookUntilSeen(signal: TreeSignal): Promise<number> {
    const giveUpAtMs = performance.now() + appearanceMs
    for (;;) {
      const aliveCount = await this.look(signal)
      if (aliveCount !== undefined && aliveCount > 0) return aliveCount
      if (aliveCount === 0 && this.hasExited) return 0
      if (signal !== 'SIGTERM' || performance.now() > giveUpAtMs) return 1
      await delay(pollMs)
    }
  }

  /** One look; undefined when it could not be made, as at the session's pids limit. */
  private async look(signal: TreeSignal): Promise<number | undefined> {
    const chunks: Uint8Array[] = []
    try {
      const exec = this.session.container.exec({
        argv: treeScript(this.marker, signal, this.kernelSessions),
        workdir: '/',
        env: {},
        user: this.session.user,
        stdout: (chunk) => {
          chunks.push(chunk)
        },
        stderr: () => undefined,
      })
      await exec.exited
    } catch {
      // No exec can be made now, or the session is gone.
      return this.session.container.isEnded ? 0 : undefined
    }
    const report = parseTreeReport(Buffer.concat(chunks).toString('latin1'))
    for (const kernelSession of report?.sessions ?? []) this.kernelSessions.add(kernelSession)
    return report?.aliveCount
  }
}
