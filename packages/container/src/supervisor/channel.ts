import type { SandboxError } from 'dsh-bash-error'
import type { Frame } from './frame-decoder.ts'

/** What has a channel of its own on a supervisor's stream. */
export interface Channel {
  /**
   * Takes one frame of this channel. Returns whether the channel is over: no frame of it follows.
   *
   * @throws `ENGINE_PROTOCOL` for a frame that cannot come now
   */
  onFrame(frame: Frame): boolean
  /** The stream ended, or cannot be understood any more. */
  onLost(error: SandboxError): void
}
