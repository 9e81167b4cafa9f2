import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Whether a program is in one of the folders of `PATH`.
 *
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 */
export function isOnPath(program, { PATH = '' }) {
  return PATH.split(delimiter).some((dir) => existsSync(join(dir, program)))
}
