import { chmodSync, chownSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import {
  type ContainerFiles,
  type ContainerSpec,
  openContainerFiles,
  type SandboxContainer,
  startSupervised,
  type SupervisorConnection,
} from '../../src/index.ts'
import { containerSpec } from '../support/container.ts'
import { testEngine } from '../support/engine.ts'
import { buildSupervisor, commandSpec, run, SupervisorProcess } from '../supervisor/supervisor-process.ts'

const mebibyte = 1024 ** 2
const user = { uid: 4242, gid: 4242 }

/** Where files are served, and commands of the same user run beside. */
export interface FileWorld extends AsyncDisposable {
  readonly connection: SupervisorConnection
  readonly files: ContainerFiles
  /** A folder that is in the world and, at the same path, on the host; writable on the host. */
  readonly shared: string
}

/** A container as a session has it, with the released program in it. */
export interface ContainerWorld extends FileWorld {
  readonly container: SandboxContainer
}

export async function openContainerWorld({
  readOnly = false,
  ...changes
}: Partial<ContainerSpec> & { readOnly?: boolean } = {}): Promise<ContainerWorld> {
  const { engine, image } = await testEngine()
  const shared = sharedFolder()
  const { main: _, ...spec } = containerSpec(image, {
    mounts: [{ source: shared, target: shared, readOnly }],
    ...changes,
  })
  const terms = { spillQuotaBytes: mebibyte, maxCommands: 64, watchedPaths: [] }
  const { container, supervisor } = await startSupervised(engine, spec, terms)
  container.hold()
  const files = openContainerFiles({ container, supervisor }, user)
  return {
    container,
    connection: supervisor,
    files,
    shared,
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]()
      container.letGo()
      await container.end()
      rmSync(shared, { recursive: true, force: true })
    },
  }
}

/** A pid namespace of this machine, with the program under the sanitizers. */
function openSanitizedWorld(): Promise<FileWorld> {
  const build = buildSupervisor('sanitized')
  return Promise.resolve(processWorld(build, build.path))
}

/** One whose file systems know no files without a name. */
export function openWorldWithoutTmpfile(): Promise<FileWorld> {
  const wrapper = buildSupervisor('without-tmpfile')
  const build = buildSupervisor('amd64')
  renameSync(build.path, `${wrapper.path}.program`)
  build.remove()
  return Promise.resolve(processWorld({ path: `${wrapper.path}.program`, remove: wrapper.remove }, wrapper.path))
}

function processWorld(build: ReturnType<typeof buildSupervisor>, filesProgram: string): FileWorld {
  const shared = sharedFolder()
  const supervisor = new SupervisorProcess(build.path)
  const container = { hold: nothing, letGo: nothing }
  const files = openContainerFiles({ container, supervisor: supervisor.connection }, user, filesProgram)
  return {
    connection: supervisor.connection,
    files,
    shared,
    async [Symbol.asyncDispose]() {
      await files[Symbol.asyncDispose]()
      await supervisor[Symbol.asyncDispose]()
      build.remove()
      rmSync(shared, { recursive: true, force: true })
    },
  }
}

/** Both worlds, for `describe.each`. */
export const fileWorlds = [
  ['in a container', () => openContainerWorld()],
  ['under the sanitizers', openSanitizedWorld],
] as const

/** One world for all tests of a `describe`, and a fresh folder of it for each. */
export function useFileWorld(open: () => Promise<FileWorld>): {
  readonly world: FileWorld
  readonly files: ContainerFiles
  readonly folder: string
} {
  let world: FileWorld
  let folder: string
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world[Symbol.asyncDispose]())
  beforeEach(() => {
    folder = mkdtempSync(join(world.shared, 'test-'))
    chownSync(folder, user.uid, user.gid)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  return {
    get world() {
      return world
    },
    get files() {
      return world.files
    },
    get folder() {
      return folder
    },
  }
}

/** Runs a script as the files' user in a folder; its output. Fails when the script does. */
export async function bash(world: FileWorld, folder: string, script: string): Promise<string> {
  const { exit, stdout, stderr } = await run(world, `set -e; ${script}`, { ...user, workdir: folder })
  if (exit.exitCode !== 0) throw new Error(`${script}: ${JSON.stringify(exit)} ${stderr}`)
  return stdout
}

/** Runs a script until the returned function is called, which waits for its end. */
export function background(world: FileWorld, folder: string, script: string): () => Promise<void> {
  const ignore = { write: nothing, skip: nothing, spilled: nothing }
  const spec = commandSpec(script, { ...user, workdir: folder, maxSpillBytes: 0 })
  const command = world.connection.spawn(spec, { stdout: ignore, stderr: ignore })
  return async () => {
    await command.signalTree(9)
    await command.gone
  }
}

export const text = (content: string): Uint8Array => Buffer.from(content)

/** A script that signals every file server of its user. */
export function signalServers(signal: string): string {
  return `for p in /proc/[0-9]*; do
    if tr '\\0' ' ' < $p/cmdline 2> /dev/null | grep -q -- ' --files $'; then kill -${signal} \${p#/proc/} || true; fi
  done`
}

function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'session-files-'))
  chmodSync(folder, 0o755)
  chownSync(folder, user.uid, user.gid)
  return folder
}

function nothing(): void {}
