import { parseArgs } from 'node:util'
import type { OptionTable, OptionValues } from './option-table.ts'
import { usageError } from './usage-error.ts'

/** A command line, taken apart. */
export interface ParsedArguments<Table extends OptionTable> {
  values: OptionValues<Table>
  /** What stands after `--`; everything, when no option is given. */
  words: string[]
}

/**
 * The arguments that may be options: those before `--`. When the first one is none, then none is:
 * all of them are words.
 */
export function optionArguments(args: readonly string[]): string[] {
  if (args[0]?.startsWith('-') !== true) return []
  const terminator = args.indexOf('--')
  return terminator === -1 ? [...args] : args.slice(0, terminator)
}

/** @throws `USAGE` for an unknown option, a missing or superfluous value, and a word before `--` */
export function parseOptions<Table extends OptionTable>(table: Table, args: readonly string[]): ParsedArguments<Table> {
  const optionArgs = optionArguments(args)
  const rest = args.slice(optionArgs.length)
  const { tokens } = parseArgs({ args: optionArgs, options: table, strict: false, tokens: true })
  const values: Record<string, boolean | string | string[]> = {}
  for (const token of tokens) {
    if (token.kind === 'option') {
      const value = readOption(table, token)
      const earlier = values[token.name]
      const isList = table[token.name]?.multiple === true && typeof value === 'string'
      values[token.name] = isList ? [...(Array.isArray(earlier) ? earlier : []), value] : value
    } else if (token.kind === 'positional') {
      throw usageError(`"${token.value}" is no option`, 'Put -- between the options and the command.')
    }
  }
  return { values: values as OptionValues<Table>, words: rest[0] === '--' ? rest.slice(1) : rest }
}

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}

function readOption(table: OptionTable, { name, rawName, value, inlineValue }: OptionToken): boolean | string {
  const definition = Object.hasOwn(table, name) ? table[name] : undefined
  if (definition === undefined) throw usageError(`unknown option ${rawName}`)
  if (definition.type === 'boolean') {
    if (inlineValue === true) throw usageError(`${rawName} takes no value`)
    return true
  }
  if (value === undefined) throw usageError(`${rawName} needs a value`)
  // `--image --json`: the value was forgotten. A lone dash and a negative number are values.
  if (inlineValue !== true && /^-(?!$|\d)/.test(value)) {
    throw usageError(`${rawName} needs a value`, `Write ${rawName}=${value} if that is the value.`)
  }
  return value
}
