import { collectGarbage, connectEngine } from 'dsh-container'
import { commonOptions, type OptionTable } from '../arguments/option-table.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { engineOptions, readEngineChoice } from '../engine/engine-options.ts'
import { writeJson, writeText } from '../output/write-text.ts'
import { renderCollected } from './render-collected.ts'

const collectOptions = {
  force: { type: 'boolean', help: 'also what belongs to owners on other hosts, who may live' },
} as const satisfies OptionTable

const options = { ...collectOptions, ...engineOptions, ...commonOptions }

export const subcommand: Subcommand<typeof options> = {
  options,
  groups: { 'What is removed': collectOptions, 'The engine': engineOptions, 'The output': commonOptions },
  notes: ['Exit status: 1 when something could not be removed.'],
  takesWords: false,
  execute: async (values) => {
    const engine = await connectEngine(readEngineChoice(values))
    const collected = await collectGarbage(engine, { force: values.force === true })
    if (values.json === true) await writeJson(collected)
    else await writeText(process.stdout, renderCollected(collected))
    return collected.failed.length === 0 ? 0 : 1
  },
}
