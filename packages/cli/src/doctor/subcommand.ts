import { styleText } from 'node:util'
import { commonOptions, type OptionTable } from '../arguments/option-table.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { engineOptions, readEngineChoice } from '../engine/engine-options.ts'
import { writeJson, writeText } from '../output/write-text.ts'
import { examine } from './doctor-report.ts'
import { renderDoctor } from './render-doctor.ts'

const probeOptions = {
  image: { type: 'string', value: 'REF', help: 'what the sandbox is tried with (default: the default image)' },
} as const satisfies OptionTable

const options = { ...probeOptions, ...engineOptions, ...commonOptions }

export const subcommand: Subcommand<typeof options> = {
  options,
  groups: { 'The sandbox': probeOptions, 'The engine': engineOptions, 'The output': commonOptions },
  notes: ['Exit status: 1 when no engine can be used or a probe failed.'],
  takesWords: false,
  execute: async (values) => {
    const report = await examine(readEngineChoice(values), values.image)
    if (values.json === true) await writeJson(report)
    else {
      const text = renderDoctor(report, (style, part) => styleText(style, part, { stream: process.stdout }))
      await writeText(process.stdout, text)
    }
    return report.ok ? 0 : 1
  },
}
