import { readFileSync } from 'node:fs'
import Docker from 'dockerode'
import { labelNames } from 'dsh-container'

/** The container of a live session, as the engine describes it. */
export type SessionContainer = Docker.ContainerInspectInfo

/** @throws when this process has no session of this owner, or several, on the engine */
export async function findSession(socketPath: string, owner: string): Promise<SessionContainer> {
  const docker = new Docker({ socketPath })
  const label = [`${labelNames.ownerPid}=${process.pid}`, `bash-docker.session-key=owner:${owner}`]
  const [container, ...others] = await docker.listContainers({ filters: { label } })
  if (container === undefined || others.length > 0) throw new Error(`no single session of ${owner} is on the engine`)
  return docker.getContainer(container.Id).inspect()
}

/** Resident size of the container's process 1, in bytes. The engine runs on this machine. */
export function residentBytes({ State }: SessionContainer): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${State.Pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}
