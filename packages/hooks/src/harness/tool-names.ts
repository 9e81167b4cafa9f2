/** What a tool of the harness is called in the files of hooks. */
const knownNames: Readonly<Record<string, string>> = {
  bash: 'Bash',
  bash_output: 'BashOutput',
  bash_kill: 'KillShell',
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
  todo_write: 'TodoWrite',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  agent: 'Task',
}

/** One call in the names of the hooks' programs; a matcher may also use the harness's own name. */
export interface NamedCall {
  readonly toolName: string
  readonly toolAliases: readonly string[]
  readonly toolInput: unknown
}

/** @param names of the deployment: the harness's name → the hooks' name */
export function namedCall(name: string, input: unknown, names: Readonly<Record<string, string>>): NamedCall {
  const toolName = names[name] ?? knownNames[name] ?? name
  return { toolName, toolAliases: toolName === name ? [] : [name], toolInput: namedInput(toolName, input) }
}

/** The arguments under the names that hook scripts look for, beside the harness's own. */
function namedInput(toolName: string, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const isBash = toolName === 'Bash' && 'timeoutMs' in input
  return isBash ? { timeout: input.timeoutMs, ...input } : input
}

/** What a tool returned, likewise. */
export function namedResponse(toolName: string, value: unknown): unknown {
  if (toolName !== 'Bash' || typeof value !== 'object' || value === null) return value
  const { stdout, stderr, timedOut } = value as Readonly<Record<string, unknown>>
  if (!hasText(stdout) || !hasText(stderr)) return value
  return { ...value, stdout: stdout.text, stderr: stderr.text, interrupted: timedOut === true }
}

function hasText(stream: unknown): stream is { readonly text: string } {
  return typeof stream === 'object' && stream !== null && 'text' in stream && typeof stream.text === 'string'
}
