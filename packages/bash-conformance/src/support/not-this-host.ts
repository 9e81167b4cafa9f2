import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BashExecutor } from 'dsh-bash'
import { quoted, stdoutOf } from './commands.ts'

/**
 * Throws when commands see this host, whatever the manifest says: what follows would kill every process
 * of it, or fill its disk.
 */
export async function assertNotThisHost(bash: BashExecutor): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'not-this-host-'))
  try {
    const seen = await stdoutOf(bash, `[[ -e ${quoted(directory)} ]] && echo seen || echo unseen`)
    if (seen !== 'unseen\n')
      throw new Error('commands see the files of this host: it is no sandbox, and nothing more is tried')
  } finally {
    await rm(directory, { recursive: true })
  }
}
