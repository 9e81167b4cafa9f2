import type { Readable } from 'node:stream'

/**
 * One value of each line. A line ends with a line feed and with nothing else: `node:readline` also ends
 * one at U+2028 and U+2029, which JSON leaves as they are within a string.
 */
export async function* jsonLines(stream: Readable): AsyncGenerator<unknown, void, undefined> {
  let rest = ''
  for await (const text of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}
