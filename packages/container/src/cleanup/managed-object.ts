import { labelNames, type OwnerState, ownerState } from '../container/owner.ts'

/** Something on an engine that this project made; plain JSON values. */
export interface ManagedObject {
  readonly kind: 'container' | 'volume' | 'network'
  readonly id: string
  readonly name: string
  /** Of a container, in the engine's words: `created`, `running`, `exited`, … */
  readonly state?: string
  /** ISO 8601, by the engine's clock; absent where the engine does not say. */
  readonly createdAt?: string
  readonly ageMs?: number
  readonly owner: {
    readonly pid?: number
    /** `shared`: it holds a program that every session uses, and it is of use as long as one does. */
    readonly state: OwnerState | 'shared'
  }
  readonly sessionId?: string
  /** Of a container. */
  readonly image?: string
  /** The folder of the host that a container sees. */
  readonly workspace?: string
}

/** One object as the engine lists it. */
export interface ListedObject {
  readonly kind: ManagedObject['kind']
  readonly id: string
  readonly name: string
  readonly state?: string
  readonly image?: string
  readonly createdAt: Date | undefined
  readonly labels: Readonly<Record<string, string>>
}

/** Reads what the labels of an object say. */
export function describeObject(listed: ListedObject, now: Date): ManagedObject {
  const { kind, id, name, state, image, createdAt, labels } = listed
  const sessionId = labels[labelNames.session]
  const workspace = labels[labelNames.workspace]
  return {
    kind,
    id,
    name,
    ...(state === undefined ? {} : { state }),
    ...age(createdAt, now),
    owner: ownerOf(kind, labels),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(image === undefined ? {} : { image }),
    ...(workspace === undefined ? {} : { workspace }),
  }
}

function ownerOf(kind: ManagedObject['kind'], labels: ListedObject['labels']): ManagedObject['owner'] {
  if (kind === 'volume' && labels[labelNames.supervisor] !== undefined) return { state: 'shared' }
  const pid = Number(labels[labelNames.ownerPid])
  return { ...(Number.isInteger(pid) && pid > 0 ? { pid } : {}), state: ownerState(labels) }
}

function age(createdAt: Date | undefined, now: Date): Pick<ManagedObject, 'createdAt' | 'ageMs'> {
  if (createdAt === undefined || Number.isNaN(createdAt.getTime())) return {}
  // The engine's clock may be ahead of ours.
  return { createdAt: createdAt.toISOString(), ageMs: Math.max(0, now.getTime() - createdAt.getTime()) }
}
