import { systemEnv } from './child-env.mjs'
import { canInstallPackages, installPackages } from './debian-packages.mjs'
import { isOnPath } from './on-path.mjs'
import { ensureSupervisor } from './supervisor.mjs'

/** What the tests run beside what the product itself needs, and Debian's packages of it. */
const tools = [
  // Of the supervisor: sanitized builds, pid namespaces, a foreign processor.
  { program: 'gcc', packages: ['gcc', 'libc6-dev'] },
  { program: 'unshare', packages: ['util-linux'] },
  { program: 'qemu-aarch64', packages: ['qemu-user'] },
  // gVisor, which the tests' own engine then knows as a runtime.
  { program: 'runsc', packages: ['runsc'] },
]

/**
 * Installs the programs that tests need and builds the supervisor for every processor. What cannot be installed here
 * is left to the tests that need it: they fail, and say what is missing.
 *
 * @param {import('./context.mjs').SetupContext} context
 */
export async function ensureTestTools(context) {
  const { progress, signal } = context
  const missing = tools.filter(({ program }) => !isOnPath(program, systemEnv(process.env)))
  if (missing.length > 0 && canInstallPackages()) {
    const packages = missing.flatMap((tool) => tool.packages)
    await progress.step('Installing what the tests need', () => installPackages(packages, signal))
  }
  await ensureSupervisor('amd64', context)
  await ensureSupervisor('arm64', context)
}
