import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { World, WorldProcess } from './executor-under-test.ts'

export interface HostWorld extends World {
  /**
   * An empty directory for whatever an executor makes on the host, such as spill files. Let the
   * executor use it (`TMPDIR`): what is still in it at the end counts as left behind.
   */
  readonly temporaryDirectory: string
  close(): Promise<void>
}

/**
 * The world of commands that run on this host. Linux only: it reads `/proc`.
 *
 * @throws on a host without `/proc`
 */
export async function hostWorld(): Promise<HostWorld> {
  await readFile('/proc/self/stat')
  const root = await mkdtemp(join(tmpdir(), 'bash-conformance-'))
  const workdir = await mkdtemp(join(root, 'work-'))
  const temporaryDirectory = await mkdtemp(join(root, 'temporary-'))
  return {
    workdir,
    temporaryDirectory,
    processes: hostProcesses,
    fileText: (path) => readFile(path, 'utf8').catch(absent),
    leftovers: async () => (await readdir(temporaryDirectory)).map((name) => join(temporaryDirectory, name)),
    close: () => rm(root, { recursive: true, force: true }),
  }
}

/** Every process in this host's `/proc`. */
export async function hostProcesses(): Promise<WorldProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(pids.map((pid) => hostProcess(Number(pid))))
  return processes.filter((process) => process !== undefined)
}

async function hostProcess(pid: number): Promise<WorldProcess | undefined> {
  const [stat, cmdline] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(absent),
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(absent),
  ])
  if (stat === undefined || cmdline === undefined) return undefined
  // The name in parentheses may itself hold spaces and parentheses.
  const [state = '?', ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { pid, ppid: Number(ppid), state, argv: cmdline.replace(/\0$/, '').replaceAll('\0', ' ') }
}

/** It ended between two looks, or was never there. */
function absent(): undefined {
  return undefined
}
