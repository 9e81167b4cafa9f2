import type { FactProbe } from './fact-probe.ts'

/** Storage drivers that limit the size of a container's root by themselves. */
const driversWithQuota = new Set(['btrfs', 'zfs', 'devicemapper'])

/** A session's root is read-only, and what it can write to has a size; so none of this is a fault. */
export const storageProbe: FactProbe = {
  name: 'storage',
  judge: ({ info }) => {
    const driver = info.storageDriver
    if (driver === undefined) return { status: 'unknown', detail: 'the engine does not name its storage driver' }
    const fileSystem = info.storageStatus['Backing Filesystem']
    const name = fileSystem === undefined ? driver : `${driver} on ${fileSystem}`
    if (driversWithQuota.has(driver)) return { status: 'ok', detail: `${name}: the size of a root can be limited` }
    if (fileSystem === 'xfs') {
      return { status: 'ok', detail: `${name}: the size of a root can be limited where xfs is mounted with pquota` }
    }
    return { status: 'ok', detail: `${name}: the size of a root cannot be limited; that of a session is read-only` }
  },
}
