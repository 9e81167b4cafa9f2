import { systemEnv } from './child-env.mjs'
import { canInstallPackages, installPackages } from './debian-packages.mjs'
import { isOnPath } from './on-path.mjs'
import { ensureSupervisor } from './supervisor.mjs'

/** A program and Debian's packages of it. @typedef {{ program: string, packages: string[] }} Tool */

/** @type {Tool[]} for the supervisor's tests: sanitized builds, pid namespaces, a foreign processor */
const supervisorTools = [
  { program: 'gcc', packages: ['gcc', 'libc6-dev'] },
  { program: 'unshare', packages: ['util-linux'] },
  { program: 'qemu-aarch64', packages: ['qemu-user'] },
]

/**
 * Installs the programs that tests need and builds the supervisor for every processor.
 *
 * @param {import('./context.mjs').SetupContext} context
 */
export async function ensureTestTools(context) {
  await ensureTools(supervisorTools, context)
  await ensureSupervisor('amd64', context)
  await ensureSupervisor('arm64', context)
}

/** vitest's configuration of the suite on gVisor. */
export const gvisorConfig = 'test/gvisor/vitest.config.ts'

/**
 * Installs gVisor, which an engine of our own that starts afterwards knows as the runtime `runsc`.
 *
 * @param {import('./context.mjs').SetupContext} context
 */
export async function ensureGvisor(context) {
  await ensureTools([{ program: 'runsc', packages: ['runsc'] }], context)
}

/**
 * What cannot be installed here is left to the tests that need it: they fail, and say what is missing.
 *
 * @param {Tool[]} tools
 * @param {import('./context.mjs').SetupContext} context
 */
async function ensureTools(tools, { progress, signal }) {
  const missing = tools.filter(({ program }) => !isOnPath(program, systemEnv(process.env)))
  if (missing.length > 0 && canInstallPackages()) {
    const packages = missing.flatMap((tool) => tool.packages)
    await progress.step('Installing what the tests need', () => installPackages(packages, signal))
  }
}
