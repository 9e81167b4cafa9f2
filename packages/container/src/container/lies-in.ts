import { sep } from 'node:path'

/** Whether a path is a directory or is below it. By name alone: links have to be resolved before. */
export function liesIn(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}
