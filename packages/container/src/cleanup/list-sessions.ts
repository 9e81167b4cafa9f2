import { labelNames } from '../container/owner.ts'
import type { Engine } from '../engine/engine.ts'
import { describeObject, type ListedObject, type ManagedObject } from './managed-object.ts'

/**
 * Everything on an engine that this project made, whoever owns it: containers in every state, then
 * networks, then volumes.
 *
 * @throws `ENGINE_UNREACHABLE`, `ENGINE_REFUSED`, `ENGINE_PROTOCOL`
 */
export async function listSessions(engine: Engine): Promise<ManagedObject[]> {
  const label = `${labelNames.managed}=true`
  const [containers, networks, volumes] = await Promise.all([
    engine.port.listContainers(label),
    engine.port.listNetworks(label),
    engine.port.listVolumes(label),
  ])
  const listed: ListedObject[] = [
    ...containers.map((container) => ({
      ...container,
      kind: 'container' as const,
      name: container.name ?? container.id,
    })),
    ...networks.map((network) => ({ ...network, kind: 'network' as const })),
    ...volumes.map((volume) => ({ ...volume, kind: 'volume' as const, id: volume.name })),
  ]
  const now = new Date()
  return listed.map((object) => describeObject(object, now))
}
