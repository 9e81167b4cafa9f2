import { delimiter } from 'node:path'

/** What `npm start` sets for the script that it runs, and what that script's own children must not take for the user's wish. */
const npmRunVariables =
  /^(npm_(lifecycle|package)_.*|npm_command|npm_config_(loglevel|prefix|local_prefix|global_prefix)|INIT_CWD|NODE|COLOR)$/

/**
 * The environment for the programs of set-up: npm, pnpm, apt-get, the compiler. `NODE_ENV` would make
 * the package managers leave out the compiler.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} [binDirs] folders to look for programs in first
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv(env, binDirs = []) {
  const path = [...binDirs, env.PATH ?? ''].join(delimiter)
  return { ...without(env, (name) => npmRunVariables.test(name) || name === 'NODE_ENV'), PATH: path }
}

/**
 * The environment for programs of the system's administrator, whose folders are not in everybody's PATH.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function systemEnv(env) {
  return { ...toolEnv(env), PATH: [env.PATH ?? '', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(delimiter) }
}

/**
 * The caller's environment as it was before npm added to it: the sandboxed command gets it.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function callerEnv(env) {
  if (env.npm_lifecycle_event === undefined) return env
  const folders = env.PATH?.split(delimiter) ?? []
  // npm puts the `.bin` folder of every parent and then its own node-gyp in front.
  const ownFolders = folders.slice(folders.findIndex((folder) => folder.endsWith('node-gyp-bin')) + 1)
  return {
    ...without(env, (name) => name.startsWith('npm_') || npmRunVariables.test(name)),
    PATH: ownFolders.join(delimiter),
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {(name: string) => boolean} unwanted
 */
function without(env, unwanted) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !unwanted(name)))
}
