import { isSandboxError } from 'dsh-bash-error'
import type { OptionValues, commonOptions } from './arguments/option-table.ts'
import { optionArguments, parseOptions } from './arguments/parse-options.ts'
import type { SubcommandEntry } from './arguments/subcommand.ts'
import { usageError } from './arguments/usage-error.ts'
import { couldNotRunStatus } from './exit-status.ts'
import { programHelp, subcommandHelp } from './output/help.ts'
import { errorReport, warn } from './output/report-error.ts'
import { writeJson, writeText } from './output/write-text.ts'
import { programVersion } from './program-version.ts'

const entries: readonly SubcommandEntry[] = [
  {
    name: 'run',
    synopsis: '[OPTIONS --] COMMAND',
    summary: 'Run a command in a container of its own',
    load: () => import('./run/subcommand.ts'),
  },
  {
    name: 'mcp',
    synopsis: '[OPTIONS]',
    summary: 'Serve bash to programs that speak the Model Context Protocol',
    load: () => import('./mcp/subcommand.ts'),
  },
  {
    name: 'ps',
    synopsis: '[OPTIONS]',
    summary: 'List the sessions on the engine',
    load: () => import('./ps/subcommand.ts'),
  },
  {
    name: 'gc',
    synopsis: '[OPTIONS]',
    summary: 'Remove what dead owners left on the engine',
    load: () => import('./gc/subcommand.ts'),
  },
  {
    name: 'doctor',
    synopsis: '[OPTIONS]',
    summary: 'Tell which engine is taken, and what it can enforce',
    load: () => import('./doctor/subcommand.ts'),
  },
]

/**
 * The whole program.
 *
 * @returns the exit status
 */
export async function commandLine([name = '', ...args]: readonly string[]): Promise<number> {
  try {
    if (name.startsWith('-')) return await programOption(name)
    const entry = entries.find((each) => each.name === name)
    if (entry === undefined) throw usageError(name === '' ? 'no subcommand was given' : `unknown subcommand "${name}"`)
    return await runSubcommand(entry, args)
  } catch (error) {
    if (optionArguments(args).includes('--json')) await writeJson(errorReport(error))
    else if (isSandboxError(error)) warn(error)
    else console.error(error) // A fault of this program: its stack is wanted.
    return couldNotRunStatus
  }
}

async function programOption(option: string): Promise<number> {
  if (option === '--version') return await printVersion()
  if (option !== '--help' && option !== '-h') throw usageError(`unknown option ${option}`)
  await writeText(process.stdout, programHelp(entries))
  return 0
}

async function runSubcommand(entry: SubcommandEntry, args: readonly string[]): Promise<number> {
  const { subcommand } = await entry.load()
  const { values, words } = parseOptions(subcommand.options, args)
  const { help, version }: OptionValues<Pick<typeof commonOptions, 'help' | 'version'>> = values
  if (version === true) return await printVersion()
  if (help === true) {
    await writeText(process.stdout, subcommandHelp(entry, subcommand))
    return 0
  }
  const [firstWord] = words
  if (!subcommand.takesWords && firstWord !== undefined) throw usageError(`${entry.name} takes no "${firstWord}"`)
  return await subcommand.execute(values, words)
}

async function printVersion(): Promise<number> {
  await writeText(process.stdout, `${programVersion()}\n`)
  return 0
}
