import type { ManagedObject } from 'dsh-container'
import { renderAge } from '../output/age.ts'
import { renderTable } from '../output/table.ts'

const unknown = '–'

/** The table of `bash-docker ps`. */
export function renderSessions(objects: readonly ManagedObject[]): string {
  return renderTable(
    ['KIND', 'NAME', 'STATE', 'AGE', 'OWNER', 'IMAGE', 'WORKSPACE'],
    objects.map(({ kind, name, state, ageMs, owner, image, workspace }) => [
      kind,
      name,
      state ?? unknown,
      ageMs === undefined ? unknown : renderAge(ageMs),
      owner.pid === undefined ? owner.state : `${owner.pid} (${owner.state})`,
      image ?? unknown,
      workspace ?? unknown,
    ]),
  )
}
