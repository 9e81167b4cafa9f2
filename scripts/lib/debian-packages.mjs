import { existsSync } from 'node:fs'
import { systemEnv } from './child-env.mjs'
import { runTool } from './run-tool.mjs'
import { SetupError } from './setup-error.mjs'

/** Seconds that apt waits for another that is at work. */
const lockTimeout = 'DPkg::Lock::Timeout=120'

/** Whether packages can be installed here: Debian or a derivative, and we are root. */
export function canInstallPackages() {
  return existsSync('/usr/bin/apt-get') && process.getuid?.() === 0
}

/**
 * Installs Debian packages. The package lists are only read anew when it does not work without.
 *
 * @param {string[]} names
 * @param {AbortSignal} signal
 */
export async function installPackages(names, signal) {
  const env = {
    ...systemEnv(process.env),
    DEBIAN_FRONTEND: 'noninteractive',
    // A package may start a service of the machine's own: not by systemd, and not by init.
    SYSTEMD_OFFLINE: '1',
    RUNLEVEL: '1',
  }
  const install = () =>
    runTool('apt-get', ['install', '--yes', '--no-install-recommends', '-o', lockTimeout, ...names], {
      title: `apt-get install ${names.join(' ')}`,
      env,
      signal,
    })
  try {
    await install()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    await runTool('apt-get', ['update'], { title: 'apt-get update', env, signal })
    await install()
  }
}
