/** One way of running commands that the benchmark measures. Every method does its whole work. */
export interface Subject extends AsyncDisposable {
  readonly name: SubjectName
  /** Runs `command` in the warm session; resolves with how many bytes of stdout it printed. */
  run(command: string, stdin?: string): Promise<number>
  /** Starts a session of its own, runs `true` in it and ends it; resolves with the milliseconds to the end of `true`. */
  startSession(): Promise<number>
}

export const subjectNames = ['bash-local', 'bash-docker', 'docker-exec'] as const

export type SubjectName = (typeof subjectNames)[number]
