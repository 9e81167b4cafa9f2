import { messageOf } from 'dsh-bash-error'
import { labelNames } from '../container/owner.ts'
import { removalDeadlineMs, untilUnlisted } from '../container/until-unlisted.ts'
import { refusalStatus } from '../engine/call.ts'
import type { Engine } from '../engine/engine.ts'
import { listSessions } from './list-sessions.ts'
import type { ManagedObject } from './managed-object.ts'

export interface CollectGarbageOptions {
  /** Also removes what belongs to an owner in another place, who may live. */
  readonly force?: boolean
}

/** An object that is still there, and why. */
export type LeftObject = ManagedObject & { readonly reason: string }

export interface CollectedGarbage {
  readonly removed: readonly ManagedObject[]
  /** Not to be removed: of a living owner, of one that cannot be judged from here, or in use. */
  readonly kept: readonly LeftObject[]
  /** To be removed, and the engine did not. */
  readonly failed: readonly LeftObject[]
}

/**
 * Removes what dead owners left on an engine, containers in every state, networks and volumes. What
 * a living owner has is never touched.
 *
 * @throws what {@link listSessions} throws; a removal that fails is a part of the result
 */
export async function collectGarbage(engine: Engine, options: CollectGarbageOptions = {}): Promise<CollectedGarbage> {
  const removed: ManagedObject[] = []
  const kept: LeftObject[] = []
  const failed: LeftObject[] = []
  // In the order of the list: a container is gone before the networks and volumes that it uses.
  for (const object of await listSessions(engine)) {
    const reason = reasonToKeep(object, options.force ?? false)
    if (reason !== undefined) {
      kept.push({ ...object, reason })
      continue
    }
    try {
      await remove(engine, object)
      removed.push(object)
    } catch (error) {
      const list = isInUse(object, error) ? kept : failed
      list.push({ ...object, reason: messageOf(error) })
    }
  }
  return { removed, kept, failed }
}

function reasonToKeep({ owner }: ManagedObject, force: boolean): string | undefined {
  if (owner.state === 'alive') return `its owner, process ${owner.pid}, is alive`
  if (owner.state === 'unknown' && !force) return 'nothing here tells whether its owner is alive'
  return undefined
}

async function remove({ port }: Engine, { kind, id }: ManagedObject): Promise<void> {
  if (kind === 'network') return port.removeNetwork(id)
  if (kind === 'volume') return port.removeVolume(id)
  // Again and again: one that the engine is still creating, for an owner that died, cannot be removed yet.
  // And somebody else may be removing it, which takes as long as it takes.
  const isListed = async (): Promise<boolean> => {
    await port.removeContainer(id)
    const listed = await port.listContainers(`${labelNames.managed}=true`)
    return listed.some((container) => container.id === id)
  }
  if (await untilUnlisted(isListed)) return
  throw new Error(`the engine has not removed it within ${removalDeadlineMs} ms`)
}

/** The engine removes no volume (409) and no network (403) that a container uses. */
function isInUse({ kind }: ManagedObject, error: unknown): boolean {
  const status = refusalStatus(error)
  return (kind === 'volume' && status === 409) || (kind === 'network' && status === 403)
}
