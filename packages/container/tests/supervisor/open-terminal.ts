import type { SupervisedTerminal, TerminalSpec } from '../../src/supervisor/supervised-terminal.ts'
import { type CommandHost, commandSpec, until } from './supervisor-process.ts'

/** A terminal whose output is read as it comes. */
export interface OpenTerminal {
  readonly terminal: SupervisedTerminal
  /** All output so far. */
  readonly text: () => string
  /** Resolves when the output since the last match holds `pattern`; returns that output up to its end. */
  readonly shows: (pattern: RegExp) => Promise<string>
  /** Resolves when the output has ended. */
  readonly ended: Promise<void>
}

export function terminalSpec(argv: readonly string[], changes: Partial<TerminalSpec> = {}): TerminalSpec {
  const { workdir, env, uid, gid, umask, resourceLimits } = commandSpec('')
  const size = { rows: 24, columns: 80 }
  return { argv, workdir, env: { ...env, TERM: 'dumb', PS1: '$ ' }, uid, gid, umask, resourceLimits, size, ...changes }
}

export async function openTerminal(
  host: CommandHost,
  argv: readonly string[],
  changes: Partial<TerminalSpec> = {},
): Promise<OpenTerminal> {
  const terminal = await host.connection.openTerminal(terminalSpec(argv, changes))
  let text = ''
  let matched = 0
  terminal.output.setEncoding('utf8')
  terminal.output.on('data', (chunk: string) => (text += chunk))
  const ended = new Promise<void>((resolve) => terminal.output.on('close', resolve))
  const shows = async (pattern: RegExp): Promise<string> => {
    const from = matched
    const hasMatched = (): boolean => {
      const match = pattern.exec(text.slice(from))
      if (match !== null) matched = from + match.index + match[0].length
      return match !== null
    }
    await until(hasMatched).catch(() => {
      throw new Error(`the terminal never showed ${String(pattern)}: ${JSON.stringify(text.slice(from))}`)
    })
    return text.slice(from, matched)
  }
  return { terminal, text: () => text, shows, ended }
}

/** A shell as a person has it, without anybody's configuration. */
export const interactiveBash = ['bash', '--norc', '--noprofile', '--noediting', '-i'] as const
