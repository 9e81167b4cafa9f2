import type { SessionEvent } from 'dsh-bash-docker'

/** What the start of a session does at the moment, in a few words. */
export function sessionStep(event: SessionEvent): string {
  switch (event.step) {
    case 'connect':
      return 'looking for an engine'
    case 'image':
      return `looking for the image ${event.reference}`
    case 'image-progress': {
      const { step, reference, line } = event.progress
      return `${step === 'pull' ? 'pulling' : 'building'} the image ${reference}: ${line}`
    }
    case 'container':
      return 'starting a container'
    case 'started':
      return 'starting the command'
  }
}
