import { randomUUID } from 'node:crypto'

/**
 * The variable that an executor adds to each command's environment, so that the command's
 * processes can be recognised in `/proc/<pid>/environ` after they left its process group.
 */
export const commandMarkerName = 'DSH_COMMAND_ID'

/** A value that no other command has. */
export function newCommandMarker(): string {
  return randomUUID()
}
