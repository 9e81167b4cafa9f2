import { randomUUID } from 'node:crypto'
import type { ContainerSpec } from '../../container/container-spec.ts'
import type { Engine } from '../../engine/engine.ts'

const mebibyte = 1024 ** 2

/** A session as safe as they are by default, and small. */
export function probeContainerSpec(engine: Pick<Engine, 'info'>, image: string): ContainerSpec {
  return {
    image,
    main: { kind: 'wait' },
    sessionId: randomUUID(),
    labels: {},
    env: {},
    workdir: '/',
    mounts: [],
    tmpfs: [{ path: '/tmp', sizeBytes: 16 * mebibyte, mode: 0o1777, uid: 0, gid: 0 }],
    shmBytes: mebibyte,
    memoryBytes: 128 * mebibyte,
    cpus: Math.min(1, engine.info.cpuCount),
    pidsLimit: 64,
    network: 'none',
    ulimits: [{ name: 'core', soft: 0, hard: 0 }],
    hostname: 'sandbox',
    readOnlyRoot: true,
  }
}
