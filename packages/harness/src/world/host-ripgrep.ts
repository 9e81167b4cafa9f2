import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ContainerMount } from 'dsh-container'
import type { ResolvedWorldConfig } from './config.ts'

/** Where the directory of the harness's ripgrep is seen in the container. */
const ripgrepDirectory = '/opt/dsh-ripgrep'

/** What runs in the container when the harness names a program of its own installation. */
export interface HostPrograms {
  readonly mounts: readonly ContainerMount[]
  /** Program in the container by path on the host. */
  readonly places: ReadonlyMap<string, string>
}

/**
 * The harness's search tools call ripgrep by its path on the host. It is statically linked, so its
 * directory is shown to the container, read-only and under a path that every user there can reach.
 */
export async function hostPrograms({ ripgrep }: ResolvedWorldConfig): Promise<HostPrograms> {
  const path = await ripgrepPath()
  if (path === undefined) return { mounts: [], places: new Map() }
  if (ripgrep === 'image') return { mounts: [], places: new Map([[path, 'rg']]) }
  const directory = dirname(path)
  return {
    mounts: [{ source: directory, target: ripgrepDirectory, readOnly: true }],
    places: new Map([[path, join(ripgrepDirectory, 'rg')]]),
  }
}

/** Undefined where the harness has no search tools. */
async function ripgrepPath(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    return existsSync(rgPath) ? rgPath : undefined
  } catch {
    return undefined // it is an optional peer
  }
}
