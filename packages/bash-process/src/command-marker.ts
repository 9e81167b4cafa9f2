import { randomUUID } from 'node:crypto'

/**
 * The variable that an executor adds to each command's environment, so that the command's
 * processes can be recognised in `/proc/<pid>/environ` after they left its process group.
 */
export const commandMarkerName = 'DSH_COMMAND_ID'

/** Gives each command of one executor a value that no other command anywhere has. */
export class CommandMarkers {
  private readonly executorId = randomUUID()
  private count = 0

  /** What the environment of every command of this executor holds. */
  get commonAssignment(): string {
    return `${commandMarkerName}=${this.executorId}.`
  }

  /** A value for one more command; the closing dot keeps it from being the beginning of another. */
  next(): string {
    this.count += 1
    return `${this.executorId}.${this.count}.`
  }
}
