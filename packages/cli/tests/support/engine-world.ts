import { randomUUID } from 'node:crypto'
import Docker from 'dockerode'
import { connectEngine } from 'dsh-container'

/** The engine that the program takes, looked at past the program. */
export class EngineWorld {
  private readonly docker: Docker
  readonly host: string

  private constructor(socketPath: string) {
    this.docker = new Docker({ socketPath })
    this.host = `unix://${socketPath}`
  }

  static async open(): Promise<EngineWorld> {
    const { endpoint } = await connectEngine()
    if (endpoint.socketPath === undefined) throw new Error('the tests want an engine on a unix socket')
    return new EngineWorld(endpoint.socketPath)
  }

  /** Ids of the containers, in every state, that a process owns. */
  async containersOf(ownerPid: number | undefined): Promise<string[]> {
    const containers = await this.docker.listContainers({ all: true, filters: ownedBy(ownerPid) })
    return containers.map(({ Id }) => Id)
  }

  /** Everything that a process owns, of every kind. */
  async objectsOf(ownerPid: number | undefined): Promise<string[]> {
    const filters = ownedBy(ownerPid)
    const { Volumes } = await this.docker.listVolumes({ filters })
    const networks = await this.docker.listNetworks({ filters })
    return [
      ...(await this.containersOf(ownerPid)),
      ...Volumes.map(({ Name }) => Name),
      ...networks.map(({ Name }) => Name),
    ]
  }

  /** Containers, in every state, that see a folder. */
  async containersIn(workspace: string): Promise<string[]> {
    const filters = { label: [`bash-docker.workspace=${workspace}`] }
    return (await this.docker.listContainers({ all: true, filters })).map(({ Id }) => Id)
  }

  /**
   * Command lines of what runs in a container.
   *
   * @throws while it does not run, is not to be found by its id yet, or not any more, though it may be in the list
   */
  async processesIn(id: string): Promise<string[]> {
    const { Titles, Processes } = (await this.docker.getContainer(id).top()) as {
      Titles: string[]
      Processes: string[][]
    }
    return Processes.map((fields) => fields[Titles.indexOf('CMD')] ?? '')
  }

  /** How a container is labelled, and what it was made of. */
  async describe(id: string): Promise<{ labels: Record<string, string>; image: string }> {
    const { Config } = await this.docker.getContainer(id).inspect()
    return { labels: Config.Labels, image: Config.Image }
  }

  /** Makes what a program that died at a bad moment may leave: one of each kind, the container never started. */
  async leaveBehind({ labels, image }: { labels: Record<string, string>; image: string }): Promise<void> {
    const name = `bash-docker-test-${randomUUID()}`
    await this.docker.createContainer({ Image: image, Cmd: ['true'], Labels: labels })
    await this.docker.createVolume({ Name: name, Labels: labels })
    await this.docker.createNetwork({ Name: name, Labels: labels, Internal: true })
  }
}

function ownedBy(pid: number | undefined): { label: string[] } {
  return { label: ['bash-docker.managed=true', `bash-docker.owner-pid=${pid}`] }
}
