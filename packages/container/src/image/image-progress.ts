/** One step of having an image, for people who wait for it. */
export interface ImageProgress {
  readonly step: 'pull' | 'build'
  readonly reference: string
  /** What the engine or the build said last, in one line. */
  readonly line: string
}

export type OnImageProgress = (progress: ImageProgress) => void
