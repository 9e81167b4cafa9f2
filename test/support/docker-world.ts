import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import type { World, WorldProcess } from 'dsh-bash-conformance'
import { EngineProxy } from './engine-proxy.ts'
import { execText } from './exec-text.ts'

/** Taken once: tests point TMPDIR at a world's own directory. */
const worldsDirectory = tmpdir()

/** User and group of the commands: the owner of the world's `workdir`. */
const commandUser = { uid: 1000, gid: 1000 }

/** Prints pid, parent, state and arguments of each process, one a line, by bash alone. */
const processScript = `
for directory in /proc/[0-9]*; do
  { read -r stat < "$directory/stat"; mapfile -d '' -t argv < "$directory/cmdline"; } 2>/dev/null || continue
  fields=(\${stat##*) })
  argument_line=\${argv[*]}
  echo "\${directory#/proc/} \${fields[1]} \${fields[0]} \${argument_line//$'\\n'/ }"
done`

export interface DockerWorld extends World {
  /** Where the executor finds the engine. */
  readonly engineHost: string
  /** What the executor makes on the host lies below it. */
  readonly temporaryDirectory: string
}

/**
 * The world of commands in containers that this process owns, looked at through the engine and past
 * the executor under test.
 */
export async function dockerWorld(enginePath: string): Promise<DockerWorld> {
  const docker = new Docker({ socketPath: enginePath })
  const root = await mkdtemp(join(worldsDirectory, 'bash-docker-world-'))
  const workdir = await mkdtemp(join(root, 'work-'))
  await chown(workdir, commandUser.uid, commandUser.gid)
  const temporaryDirectory = await mkdtemp(join(root, 'temporary-'))
  const proxy = new EngineProxy(join(root, 'engine.sock'), enginePath)
  await proxy.open()

  const containers = (): Promise<Docker.ContainerInfo[]> =>
    docker.listContainers({ all: true, filters: { label: [`bash-docker.owner-pid=${process.pid}`] } })
  const containerOf = async (owner: string | undefined): Promise<Docker.Container | undefined> => {
    const key = owner === undefined ? 'default' : `owner:${owner}`
    const found = (await containers()).find(
      ({ Labels, Mounts }) =>
        Labels['bash-docker.session-key'] === key && Mounts.some(({ Source }) => Source === workdir),
    )
    return found === undefined ? undefined : docker.getContainer(found.Id)
  }

  return {
    workdir,
    temporaryDirectory,
    engineHost: `unix://${proxy.socketPath}`,
    processes: async () => {
      const running = (await containers()).filter(({ State }) => State === 'running')
      const texts = await Promise.all(
        running.map(({ Id }) => execText(docker.getContainer(Id), ['bash', '-c', processScript], '0:0')),
      )
      return texts.flatMap((text) => parseProcesses(text))
    },
    fileText: async (path, owner) => {
      const container = await containerOf(owner)
      if (container === undefined) return readFile(path, 'utf8').catch(() => undefined)
      const text = await execText(container, ['bash', '-c', '[[ -e $1 ]] && echo yes; cat -- "$1"', 'bash', path])
      return text.startsWith('yes\n') ? text.slice('yes\n'.length) : undefined
    },
    destroySession: async (owner) => {
      await (await containerOf(owner))?.remove({ force: true, v: true })
    },
    breakEngine: async () => {
      await proxy.cut()
      return { restore: () => proxy.open() }
    },
    leftovers: async () => [
      ...(await containers()).map(({ Names, State }) => `container ${Names[0]} (${State})`),
      ...(await readdir(temporaryDirectory)).map((name) => join(temporaryDirectory, name)),
    ],
    close: async () => {
      await proxy.cut()
      await rm(root, { recursive: true, force: true })
    },
  }
}

function parseProcesses(text: string): WorldProcess[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [pid, ppid, state = '?', ...argv] = line.split(' ')
      return { pid: Number(pid), ppid: Number(ppid), state, argv: argv.join(' ') }
    })
}
