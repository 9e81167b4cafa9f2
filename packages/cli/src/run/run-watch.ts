import type { SessionEvent, StartedSession } from 'dsh-bash-docker'
import type { Progress } from '../output/progress.ts'
import type { PhaseTimings, Timings } from './timings.ts'

/** Follows a run: shows what it waits for, measures what the time goes into, remembers its session. */
export class RunWatch {
  /** Once it has started. */
  session: StartedSession | undefined
  private readonly timings: Timings
  private readonly progress: Progress

  constructor(timings: Timings, progress: Progress) {
    this.timings = timings
    this.progress = progress
  }

  sessionStep(event: SessionEvent): void {
    switch (event.step) {
      case 'connect':
        this.timings.begin('connect')
        return this.progress.quick('looking for an engine')
      case 'image':
        this.timings.begin('image')
        return this.progress.quick(`looking for the image ${event.reference}`)
      case 'image-progress': {
        const { step, reference, line } = event.progress
        return this.progress.slow(`${step === 'pull' ? 'pulling' : 'building'} the image ${reference}`, line)
      }
      case 'container':
        this.timings.begin('session')
        return this.progress.quick('starting a session')
      case 'started':
        this.session = event.session
        // Now, since output may come at the same moment as the news that there is a command.
        this.progress.clear()
    }
  }

  commandBegan(): void {
    this.timings.begin('command')
  }

  commandEnded(): void {
    this.progress.clear()
    this.timings.end()
  }

  report(): PhaseTimings {
    return this.timings.report()
  }
}
