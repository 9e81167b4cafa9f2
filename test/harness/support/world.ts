import { readdirSync, readFileSync } from 'node:fs'
import Docker from 'dockerode'
import { engineSocketPath } from '../../support/engine.ts'

/** The containers of a process, in whatever state, as the engine lists them. */
export async function containersOf(pid: number): Promise<string[]> {
  const docker = new Docker({ socketPath: await engineSocketPath() })
  const found = await docker.listContainers({ all: true, filters: { label: [`bash-docker.owner-pid=${pid}`] } })
  return found.map(({ Id }) => Id)
}

/** The processes of this machine, those in containers too, with these arguments. */
export function processesWith(argument: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => argumentsOf(pid).includes(argument))
    .map(Number)
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return [] // it has ended
  }
}

/** Asks again and again, for half a minute at most. */
export async function until(what: string, ask: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline;) {
    if (await ask()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`this did not come about: ${what}`)
}
