/** One option of the command line. */
export interface OptionDefinition {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  /** May be given again: each value counts. Else the last one does. */
  readonly multiple?: true
  /** How the help names its value. */
  readonly value?: string
  readonly help: string
}

/** Options by name, in the order of the help. */
export type OptionTable = Readonly<Record<string, OptionDefinition>>

/** What was given for the options of a table; what was not is absent. */
export type OptionValues<Table extends OptionTable> = {
  [Name in keyof Table]?: Table[Name] extends { type: 'boolean' }
    ? boolean
    : Table[Name] extends { multiple: true }
      ? string[]
      : string
}

/** What every subcommand takes. */
export const commonOptions = {
  json: { type: 'boolean', help: 'print one JSON object on one line instead' },
  help: { type: 'boolean', short: 'h', help: 'print this' },
  version: { type: 'boolean', help: 'print the version' },
} as const satisfies OptionTable
