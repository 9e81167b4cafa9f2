import type { OptionTable, OptionValues } from './option-table.ts'

/** What one subcommand takes, and what it does. */
export interface Subcommand<Table extends OptionTable = OptionTable> {
  readonly options: Table
  /** The same options under the headings of the help. */
  readonly groups: Readonly<Record<string, OptionTable>>
  /** What the help says after the options, by paragraph. */
  readonly notes: readonly string[]
  /** Whether words may follow the options. */
  readonly takesWords: boolean
  /**
   * @returns the exit status
   * @throws a `SandboxError` when it could not be done
   */
  execute(values: OptionValues<Table>, words: readonly string[]): Promise<number>
}

/** A subcommand as the program knows it before it is loaded. */
export interface SubcommandEntry {
  readonly name: string
  readonly summary: string
  /** What follows the name in the help. */
  readonly synopsis: string
  /** Only when it is asked for: loading takes most of the time of a short command. */
  readonly load: () => Promise<{ readonly subcommand: Subcommand }>
}
