import { commonOptions, type OptionTable, type OptionValues } from '../arguments/option-table.ts'
import { engineOptions } from '../engine/engine-options.ts'

/** What the command is given. */
const commandOptions = {
  workdir: { type: 'string', value: 'DIR', help: 'absolute directory to run in (default: the current folder)' },
  env: {
    type: 'string',
    multiple: true,
    value: 'NAME[=VALUE]',
    help: "a variable; without a value, the caller's own, if it has one; repeatable",
  },
  stdin: { type: 'string', value: 'FILE|-', help: "its standard input, - for the caller's (default: none)" },
  timeout: { type: 'string', value: 'TIME', help: 'in ms, or with s, m, h, d (default 2m); then exit status 124' },
  grace: { type: 'string', value: 'TIME', help: 'from TERM to KILL (default 3s)' },
} as const satisfies OptionTable

/** The container it runs in. */
export const sandboxOptions = {
  image: { type: 'string', value: 'REF', help: 'present, else pulled; the default one is built' },
  pull: { type: 'string', value: 'missing|never', help: 'when to pull the image (default missing)' },
  workspace: { type: 'string', value: 'DIR|none', help: 'the folder that it sees (default: the current one)' },
  write: { type: 'boolean', help: 'let it change the workspace' },
  'read-only-path': {
    type: 'string',
    multiple: true,
    value: 'PATH',
    help: 'a further file or folder that it sees, read-only; repeatable',
  },
  inherit: {
    type: 'string',
    value: 'HOW',
    help: "of the caller's variables: scrubbed (default), none, or names: PATH,LANG",
  },
  network: { type: 'string', value: 'NAME', help: 'a network of the engine (default none)' },
  user: { type: 'string', value: 'UID:GID', help: "default: the workspace's owner" },
  memory: { type: 'string', value: 'SIZE', help: 'such as 512m or 2g, tmpfs included (default 2g)' },
  cpus: { type: 'string', value: 'N', help: "processors' worth of time (default 2)" },
  pids: { type: 'string', value: 'N', help: 'processes and threads (default 1024)' },
  tmp: { type: 'string', value: 'SIZE', help: '/tmp, and /var/tmp (default 512m)' },
  home: { type: 'string', value: 'SIZE', help: 'the home directory (default 256m)' },
  shm: { type: 'string', value: 'SIZE', help: '/dev/shm (default 64m)' },
  'open-files': { type: 'string', value: 'N', help: 'open files of a process (default: as the engine gives)' },
  runtime: { type: 'string', value: 'NAME', help: 'an OCI runtime of the engine, such as runsc' },
  transport: { type: 'string', value: 'supervisor|exec', help: 'how it is reached (default supervisor)' },
} as const satisfies OptionTable

/** What is printed. */
const outputOptions = {
  'max-output': { type: 'string', value: 'SIZE', help: 'with --json: how much of a stream is kept (default 64000)' },
  'max-spill': { type: 'string', value: 'SIZE', help: 'with --json: longest stream that is spilled (default 1g)' },
  'spill-quota': { type: 'string', value: 'SIZE', help: 'with --json: both spilled streams together (default 4g)' },
  quiet: { type: 'boolean', short: 'q', help: 'no progress on standard error' },
  ...commonOptions,
} as const satisfies OptionTable

const localOption = {
  local: { type: 'boolean', help: 'run on this host, unconfined, instead of in a container' },
} as const satisfies OptionTable

/** The options of `run`, as its help groups them. */
export const runOptionGroups = {
  'The command': commandOptions,
  'The sandbox': sandboxOptions,
  'The engine': engineOptions,
  'No sandbox': localOption,
  'The output': outputOptions,
} as const

export const runOptions = {
  ...commandOptions,
  ...sandboxOptions,
  ...engineOptions,
  ...localOption,
  ...outputOptions,
} as const satisfies OptionTable

export type RunValues = OptionValues<typeof runOptions>

/** Options that mean nothing where there is no container. */
export const containerOptionNames = [
  ...Object.keys(sandboxOptions),
  ...Object.keys(engineOptions),
] as readonly (keyof RunValues)[]
