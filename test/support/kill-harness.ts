import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type Docker from 'dockerode'

/** What is left of a harness five seconds after `kill -9`, by the engine's own list of every state. */
export interface Remains {
  /** Containers that were started and are still there: there may be none. */
  started: string[]
  /** Created and not yet started at that instant: the next start or `gc` takes them. */
  created: string[]
}

const boundMs = 5000
const pollMs = 50

/** Starts a harness whose sessions are busy, kills it after `lifeMs`, and looks what is left of it. */
export async function killHarness(docker: Docker, lifeMs: number): Promise<Remains> {
  const harness = fork(fileURLToPath(new URL('doomed-harness.ts', import.meta.url)), {
    execArgv: ['--conditions=bash-docker-source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(harness, 'message')
  await delay(lifeMs) // the moment of its death is what differs
  harness.kill('SIGKILL')
  await once(harness, 'exit')
  const deadline = performance.now() + boundMs
  for (;;) {
    const remains = await remainsOf(docker, harness.pid)
    if (remains.started.length === 0 || performance.now() > deadline) return remains
    await delay(pollMs)
  }
}

async function remainsOf(docker: Docker, pid: number | undefined): Promise<Remains> {
  const label = [`bash-docker.owner-pid=${pid}`]
  const containers = await docker.listContainers({ all: true, filters: { label } })
  const named = (wanted: boolean): string[] =>
    containers
      .filter(({ State }) => (State === 'created') === wanted)
      .map(({ Names, State }) => `${Names[0]} (${State})`)
  return { started: named(false), created: named(true) }
}
