import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder of an ordinary user, for one test. */
export function workspaceFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bash-docker-cli-'))
  if (process.getuid?.() === 0) chownSync(path, 1000, 1000)
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
