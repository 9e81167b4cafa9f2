import { randomUUID } from 'node:crypto'
import { type ContainerSpec, type SandboxContainer, startContainer } from '../../src/index.ts'
import type { TestEngine } from './engine.ts'

const mebibyte = 1024 ** 2

/** A small hardened container, but for what a test wants otherwise. */
export function containerSpec(image: string, changes: Partial<ContainerSpec> = {}): ContainerSpec {
  return {
    image,
    sessionId: randomUUID(),
    main: { kind: 'wait' },
    labels: {},
    env: {},
    workdir: '/',
    mounts: [],
    tmpfs: [{ path: '/tmp', sizeBytes: 16 * mebibyte, mode: 0o1777, uid: 0, gid: 0 }],
    shmBytes: mebibyte,
    memoryBytes: 256 * mebibyte,
    cpus: 1,
    pidsLimit: 64,
    network: 'none',
    ulimits: [],
    hostname: 'sandbox',
    readOnlyRoot: true,
    ...changes,
  }
}

export function testContainer({ engine, image }: TestEngine): Promise<SandboxContainer> {
  return startContainer(engine, containerSpec(image))
}
