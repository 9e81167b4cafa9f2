import type { OptionDefinition, OptionTable } from '../arguments/option-table.ts'
import type { Subcommand, SubcommandEntry } from '../arguments/subcommand.ts'

type Row = readonly [left: string, right: string]

/** The help of one subcommand. */
export function subcommandHelp({ name, synopsis, summary }: SubcommandEntry, { groups, notes }: Subcommand): string {
  const tables = Object.entries(groups).map(([title, table]) => ({ title, rows: optionRows(table) }))
  const width = widthOf(tables.flatMap(({ rows }) => rows))
  const sections = tables.map(({ title, rows }) => `${title}:\n${columns(rows, width)}`)
  return paragraphs([`Usage: bash-docker ${name} ${synopsis}`, `${summary}.`, ...sections, ...notes])
}

/** The help of the program. */
export function programHelp(entries: readonly SubcommandEntry[]): string {
  const rows = entries.map(({ name, summary }): Row => [name, summary])
  return paragraphs([
    'Usage: bash-docker SUBCOMMAND [OPTIONS]',
    columns(rows, widthOf(rows)),
    '`bash-docker SUBCOMMAND --help` shows its options, `bash-docker --version` prints the version.',
  ])
}

function optionRows(table: OptionTable): Row[] {
  return Object.entries(table).map(([name, definition]) => [optionForm(name, definition), definition.help])
}

function optionForm(name: string, { short, value }: OptionDefinition): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
}

function widthOf(rows: readonly Row[]): number {
  return Math.max(...rows.map(([left]) => left.length))
}

function columns(rows: readonly Row[], width: number): string {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

function paragraphs(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}
