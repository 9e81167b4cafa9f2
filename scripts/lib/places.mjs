import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const repoDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** What may be deleted at any time: the toolchain and locks. */
export const cacheDir = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bash-docker')

/**
 * Engines of our own. `dsh-container` looks for the socket of the one named `engine` as its last
 * known socket.
 */
export const stateDir = join(process.env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'bash-docker')
