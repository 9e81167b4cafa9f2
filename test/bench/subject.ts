import type { SessionContainer } from './session-container.ts'

/** One way of running commands that the benchmark measures. Every method does its whole work. */
export interface Subject extends AsyncDisposable {
  readonly name: SubjectName
  /** Runs `command` in the warm session; resolves with how many bytes of stdout it printed. */
  run(command: string, stdin?: string): Promise<number>
  /** Runs `command` and has every byte of its stdout delivered; resolves with how many came. */
  stream?(command: string): Promise<number>
  /** Ends `command` at its timeout; resolves with the milliseconds from the timeout to the result. */
  timeOut?(command: string, timeoutMs: number): Promise<number>
  /**
   * Starts a session of its own until it can run, where one was started before, and ends it; resolves with the
   * milliseconds of the start.
   */
  startSession(): Promise<number>
  /** The same with the first session of an executor, which has to find the engine. */
  startFirstSession?(): Promise<number>
  /** The same with a session kept started for it. */
  startSpareSession?(): Promise<number>
  /** The warm session's container, where a supervisor is its process 1. */
  readonly supervised?: SessionContainer
}

export const subjectNames = ['bash-local', 'bash-docker', 'bash-docker-exec', 'docker-exec'] as const

export type SubjectName = (typeof subjectNames)[number]
