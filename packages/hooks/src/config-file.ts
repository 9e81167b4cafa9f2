import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { messageOf, type SandboxError } from 'dsh-bash-error'
import { parse as parseToml } from 'smol-toml'
import { fileProblem } from './problem.ts'

/** The members of a configuration file's outermost object. */
type ConfigMembers = Readonly<Record<string, unknown>>

/** A configuration file: its members, undefined when there is none, or what is wrong with it. */
export interface ConfigFile {
  readonly path: string
  readonly members: ConfigMembers | undefined
  readonly problems: readonly SandboxError[]
}

/**
 * Reads a file of JSON, or of TOML by its name. One that is not there is no problem.
 *
 * @param within a folder of somebody else's: no link may lead out of it
 */
export async function readConfigFile(path: string, within?: string): Promise<ConfigFile> {
  try {
    const text = await readText(path, within)
    if (text === undefined) return { path, members: undefined, problems: [] }
    return { path, members: membersOf(parse(path, text)), problems: [] }
  } catch (error) {
    const problem = fileProblem('HOOK_CONFIG_INVALID', { path }, '', messageOf(error), error)
    return { path, members: undefined, problems: [problem] }
  }
}

async function readText(path: string, within: string | undefined): Promise<string | undefined> {
  try {
    if (within !== undefined) await assertWithin(path, within)
    // Without O_NONBLOCK a named pipe in the file's place would be waited for.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!(await file.stat()).isFile()) throw new Error('it is not a file')
    return await file.readFile('utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

async function assertWithin(path: string, within: string): Promise<void> {
  const [real, root] = await Promise.all([realpath(path), realpath(within)])
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) {
    throw new Error(`a link leads out of ${within} to ${dirname(real)}`)
  }
}

function parse(path: string, text: string): unknown {
  if (path.endsWith('.toml')) return parseToml(text)
  return text.trim() === '' ? {} : JSON.parse(text)
}

function membersOf(value: unknown): ConfigMembers {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ConfigMembers
  throw new Error('it holds no object')
}
