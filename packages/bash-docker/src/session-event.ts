import type { ContainerUser, ImageProgress } from 'dsh-container'
import type { Workspace } from './workspace.ts'

/** A session as whoever watches its start sees it. */
export interface StartedSession {
  sessionId: string
  image: string
  container: { id: string; name: string }
  workspace: Workspace | undefined
  user: ContainerUser
}

/**
 * What the start of a session does next: each step begins where the one before ends, and the progress
 * of an image that has to be had first belongs to the step `image`.
 */
export type SessionEvent =
  | { step: 'connect' }
  | { step: 'image'; reference: string }
  | { step: 'image-progress'; progress: ImageProgress }
  | { step: 'container' }
  | { step: 'started'; session: StartedSession }

/** Told of each step, for progress and timings. Never throws. */
export type SessionObserver = (event: SessionEvent) => void
