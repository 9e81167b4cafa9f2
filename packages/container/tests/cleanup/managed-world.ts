import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { labelNames, ownerLabels, thisOwner } from '../../src/container/owner.ts'
import type { Engine } from '../../src/index.ts'
import type { TestEngine } from '../support/engine.ts'

type Labels = Record<string, string>

const testLabel = 'bash-docker-test.world'

/** Objects on the real engine, with owners of our choice, and an engine that lists these and no others. */
export class ManagedWorld {
  readonly engine: Engine
  private readonly id = randomUUID()
  private readonly test: TestEngine

  constructor(test: TestEngine) {
    this.test = test
    const { port } = test.engine
    const own = <Listed extends { labels: Readonly<Labels> }>(all: Listed[]): Listed[] =>
      all.filter(({ labels }) => labels[testLabel] === this.id)
    this.engine = {
      ...test.engine,
      port: {
        ...port,
        listContainers: async (label) => own(await port.listContainers(label)),
        listVolumes: async (label) => own(await port.listVolumes(label)),
        listNetworks: async (label) => own(await port.listNetworks(label)),
      },
    }
  }

  async container(
    labels: Labels,
    state: 'created' | 'running' | 'paused' | 'exited' = 'created',
    volume?: string,
  ): Promise<string> {
    const container = await this.test.docker.createContainer({
      Image: this.test.image,
      Cmd: state === 'exited' ? ['true'] : ['sleep', '600'],
      Labels: this.marked(labels),
      HostConfig: { NetworkMode: 'none', ...(volume === undefined ? {} : { Binds: [`${volume}:/volume`] }) },
    })
    if (state !== 'created') await container.start()
    if (state === 'exited') await container.wait()
    if (state === 'paused') await container.pause()
    return container.id
  }

  async volume(labels: Labels): Promise<string> {
    const options = { Name: `test-${randomUUID()}`, Labels: this.marked(labels) }
    return (await this.test.docker.createVolume(options)).name
  }

  async network(labels: Labels): Promise<string> {
    const options = { Name: `test-${randomUUID()}`, Internal: true, Labels: this.marked(labels) }
    return (await this.test.docker.createNetwork(options)).id
  }

  /** Ids of everything of this world, whether managed or not, asked of the engine past our code. */
  async ids(): Promise<string[]> {
    const { docker } = this.test
    const filters = { label: [`${testLabel}=${this.id}`] }
    const [containers, networks, { Volumes: volumes }] = await Promise.all([
      docker.listContainers({ all: true, filters }),
      docker.listNetworks({ filters }),
      docker.listVolumes({ filters }),
    ])
    return [...containers.map(({ Id }) => Id), ...networks.map(({ Id }) => Id), ...volumes.map(({ Name }) => Name)]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { docker } = this.test
    const filters = { label: [`${testLabel}=${this.id}`] }
    for (const { Id } of await docker.listContainers({ all: true, filters })) {
      await docker.getContainer(Id).remove({ force: true })
    }
    for (const { Id } of await docker.listNetworks({ filters })) await docker.getNetwork(Id).remove()
    for (const { Name } of (await docker.listVolumes({ filters })).Volumes) await docker.getVolume(Name).remove()
  }

  private marked(labels: Labels): Labels {
    return { ...labels, [testLabel]: this.id }
  }
}

/** Labels of this process. */
export function livingOwner(): Labels {
  return ownerLabels(thisOwner())
}

/** Labels of a process that has ended. */
export async function deadOwner(): Promise<Labels> {
  const child = spawn('true')
  await once(child, 'exit')
  return ownerLabels({ ...thisOwner(), pid: child.pid ?? 0, start: '4711' })
}

/** Labels of a process whose pid is now that of another, ours. */
export function ownerBeforePidWasReused(): Labels {
  return ownerLabels({ ...thisOwner(), start: '4711' })
}

/** Labels of a process in a place that we cannot see. */
export function ownerElsewhere(): Labels {
  return ownerLabels({ ...thisOwner(), host: 'another-boot/pid:[4026531836]' })
}

/** Labels of a volume that holds a program for every session. */
export const sharedVolume: Labels = { [labelNames.managed]: 'true', [labelNames.supervisor]: '0123456789abcdef' }
