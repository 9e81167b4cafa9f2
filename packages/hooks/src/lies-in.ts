import { isAbsolute, relative, sep } from 'node:path'

/** Whether an absolute path is a directory or lies below it, by the text of both. */
export function liesIn(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
