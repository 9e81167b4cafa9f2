/**
 * Bash code that runs an argument vector as it stands: each word is quoted, so that none is expanded,
 * split, or taken for a keyword or an assignment.
 */
export function quoteWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
}
