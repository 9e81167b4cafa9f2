import type { HookHandler } from './handler.ts'

/** The variables of Claude Code that stand for a folder, by name. */
export type HookFolders = Readonly<Record<string, string>>

/**
 * The bash code that runs a hook. Nothing of the event is in it: a program with arguments is quoted
 * word by word, and one that takes its event as an argument reads it from standard input first.
 *
 * @param folders put in the place of `${NAME}`, as Claude Code does before a shell sees the text
 */
export function commandText({ command, args, payload }: HookHandler, folders: HookFolders): string {
  const program = withFolders(command, folders)
  if (args === undefined) return program
  const words = [program, ...args.map((argument) => withFolders(argument, folders))].map(quoted).join(' ')
  if (payload === 'stdin') return `exec ${words}`
  // `read` fails at the end of the input, having read all of it; JSON has no NUL in it.
  return `IFS= read -r -d '' payload || :; exec ${words} "$payload" < /dev/null`
}

function withFolders(text: string, folders: HookFolders): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (placeholder, name: string) => folders[name] ?? placeholder)
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
