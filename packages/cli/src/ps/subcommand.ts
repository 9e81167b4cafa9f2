import { connectEngine, listSessions, type ManagedObject } from 'dsh-container'
import { commonOptions } from '../arguments/option-table.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { engineOptions, readEngineChoice } from '../engine/engine-options.ts'
import { writeJson, writeText } from '../output/write-text.ts'
import { renderSessions } from './render-sessions.ts'

/** What `ps --json` prints, on one line. */
export interface SessionsReport {
  /** Containers in every state, then networks and volumes, whoever owns them. */
  sessions: readonly ManagedObject[]
}

const options = { ...engineOptions, ...commonOptions }

export const subcommand: Subcommand<typeof options> = {
  options,
  groups: { 'The engine': engineOptions, 'The output': commonOptions },
  notes: [],
  takesWords: false,
  execute: async (values) => {
    const sessions = await listSessions(await connectEngine(readEngineChoice(values)))
    if (values.json === true) await writeJson({ sessions } satisfies SessionsReport)
    else await writeText(process.stdout, renderSessions(sessions))
    return 0
  },
}
