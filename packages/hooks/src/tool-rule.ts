const ruleShape = /^(?<tool>\w+)(?:\((?<pattern>.*)\))?$/s

/** Bash code that may run more than the words that can be seen. */
const hasHiddenCommand = /\$\(|`|<\(|>\(|\$\{/

/**
 * Whether a tool call is one that a rule such as `Bash(git push *)` or `Edit(*.ts)` means. It is a
 * filter, not a wall: where it cannot tell, the hook runs and decides by itself.
 *
 * @param names of the tool, aliases included
 */
export function ruleAdmits(rule: string, names: readonly string[], toolInput: unknown): boolean {
  const { tool, pattern } = ruleShape.exec(rule.trim())?.groups ?? {}
  if (tool === undefined) return true
  if (!names.includes(tool)) return false
  if (pattern === undefined || pattern === '' || pattern === '*') return true
  const input = typeof toolInput === 'object' && toolInput !== null ? (toolInput as Record<string, unknown>) : {}
  const { command, file_path: filePath } = input
  if (typeof command === 'string') return commandAdmitted(command, globPattern(pattern))
  if (typeof filePath === 'string') return pathAdmitted(filePath, globPattern(pattern))
  return true
}

function commandAdmitted(command: string, pattern: RegExp): boolean {
  if (hasHiddenCommand.test(command)) return true
  const parts = command.split(/&&|\|\||[;|&\n]/).map((part) => part.trim().replace(/^(?:\w+=\S*\s+)+/, ''))
  return [command.trim(), ...parts].some((part) => pattern.test(part))
}

function pathAdmitted(path: string, pattern: RegExp): boolean {
  const segments = path.split('/')
  return segments.some((_, first) => pattern.test(segments.slice(first).join('/')))
}

/** `*` is any text; at the end, after a blank, it may also be nothing. `:*` is an older spelling of that. */
function globPattern(glob: string): RegExp {
  const spelled = glob.replace(/:\*$/, ' *')
  const hasOpenEnd = spelled.endsWith(' *')
  const body = (hasOpenEnd ? spelled.slice(0, -2) : spelled)
    .split(/\*+/)
    .map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*')
  return new RegExp(`^${body}${hasOpenEnd ? '(?:\\s[\\s\\S]*)?' : ''}$`)
}
