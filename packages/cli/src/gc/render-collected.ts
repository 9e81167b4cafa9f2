import type { CollectedGarbage, LeftObject, ManagedObject } from 'dsh-container'

/** What `bash-docker gc` says: a line for each object. */
export function renderCollected({ removed, kept, failed }: CollectedGarbage): string {
  const lines = [
    ...removed.map((object) => line('removed', object)),
    ...kept.map((object) => line('kept', object)),
    ...failed.map((object) => line('could not remove', object)),
  ]
  return lines.join('')
}

function line(what: string, object: ManagedObject | LeftObject): string {
  const reason = 'reason' in object ? `: ${object.reason}` : ''
  return `${what} ${object.kind} ${object.name}${reason}\n`
}
