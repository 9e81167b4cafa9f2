import { quoteWords } from '../arguments/quote.ts'
import { usageError } from '../arguments/usage-error.ts'

/**
 * The bash code of a command line: one word is code, several are an argument vector.
 *
 * @throws `USAGE` when there is none
 */
export function commandOf(words: readonly string[]): string {
  const [first, ...more] = words
  if (first === undefined)
    throw usageError('no command was given', "Put it after the options: bash-docker run -- 'id'.")
  return more.length === 0 ? first : quoteWords(words)
}
