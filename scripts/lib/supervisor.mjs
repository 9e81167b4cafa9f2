import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemEnv } from './child-env.mjs'
import { canInstallPackages, installPackages } from './debian-packages.mjs'
import { isOnPath } from './on-path.mjs'
import { repoDir } from './places.mjs'
import { runTool } from './run-tool.mjs'
import { fingerprint, isStamped } from './stamp.mjs'
import { writeWhole } from './write-whole.mjs'

/** Processors, as `docker/supervisor/build.sh` and Debian name them. @typedef {'amd64' | 'arm64'} Target */

/** @type {Partial<Record<NodeJS.Architecture, Target>>} */
const targets = { x64: 'amd64', arm64: 'arm64' }

/** This machine's own, where the supervisor knows it. */
export const ownTarget = targets[process.arch]

/**
 * What compiles it.
 *
 * @type {Record<Target, { compiler: string, packages: string[] }>}
 */
const toolsByTarget = {
  amd64: { compiler: 'musl-gcc', packages: ['musl-tools', 'gcc', 'libc6-dev'] },
  arm64: {
    compiler: 'aarch64-linux-gnu-gcc',
    packages: process.arch === 'arm64' ? ['gcc', 'libc6-dev'] : ['gcc-aarch64-linux-gnu', 'libc6-dev-arm64-cross'],
  },
}

export const supervisorDir = join(repoDir, 'docker/supervisor')

/** Where `dsh-container` looks for it. */
const programsDir = join(repoDir, 'packages/container/assets/supervisor')

/**
 * Compiles the supervisor for one processor and puts it beside `dsh-container`, unless it is there. Where there is no
 * compiler and none can be installed nothing happens: an engine may be able to.
 *
 * @param {Target} target
 * @param {import('./context.mjs').SetupContext} context
 */
export async function ensureSupervisor(target, { progress, signal }) {
  if (process.platform !== 'linux' || (await isSupervisorBuilt(target))) return
  const { compiler, packages } = toolsByTarget[target]
  const env = systemEnv(process.env)
  if (!isOnPath(compiler, env)) {
    if (!canInstallPackages()) return
    await progress.step(`Installing a C compiler for ${target}`, () => installPackages(packages, signal))
  }
  await progress.step(`Building the supervisor for ${target}`, () =>
    placeSupervisor(target, (path) =>
      runTool(join(supervisorDir, 'build.sh'), [target, path], { title: 'the supervisor', env, signal }),
    ),
  )
}

/**
 * Whether the program is there, built from the sources that are there.
 *
 * @param {Target} target
 */
export async function isSupervisorBuilt(target) {
  return existsSync(programPath(target)) && (await isStamped(stampPath(target), await sourceFingerprint(target)))
}

/**
 * Puts a program that `build` makes into its place in one step: a session may be reading the old one.
 *
 * @param {Target} target
 * @param {(path: string) => Promise<unknown>} build
 */
export async function placeSupervisor(target, build) {
  // Before the build: what changes while it runs is for the next time.
  const value = await sourceFingerprint(target)
  await mkdir(programsDir, { recursive: true })
  const draft = `${programPath(target)}.${process.pid}`
  try {
    await build(draft)
    await rename(draft, programPath(target))
  } finally {
    await rm(draft, { force: true })
  }
  await writeWhole(stampPath(target), value)
}

/** @param {Target} target */
function sourceFingerprint(target) {
  return fingerprint(repoDir, [supervisorDir], [target])
}

/** @param {Target} target */
function programPath(target) {
  return join(programsDir, `supervisor-${target}`)
}

/** @param {Target} target */
function stampPath(target) {
  return join(repoDir, 'node_modules/.cache/bash-docker', `supervisor-${target}`)
}
