import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Gives a run of the tests a directory for its temporary files, open to every user as `/tmp` is, and
 * removes it with what a test could not: what a process that it killed had made.
 *
 * @returns what vitest runs after the last test
 */
export default function giveTemporaryDirectory(): () => void {
  const path = mkdtempSync(join(tmpdir(), 'bash-docker-tests-'))
  chmodSync(path, 0o1777)
  process.env['TMPDIR'] = path
  return () => rmSync(path, { recursive: true, force: true })
}
