import { createHash, randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import type { Context } from '@deepseek-ai/cordis'
import { type SaveTextSpill, SpillLocator, type SpillRef, SpillStore } from '@deepseek-ai/dsh-spill'
import type { DockerWorld } from '../world/index.ts'

/** In memory, with everything else of the container's `/tmp`. */
const directory = '/tmp/dsh-spill'

/** What is kept of a suggested name; the rest of a file name is random. */
const maxNameLength = 64

/**
 * `ctx.spillStore`: results of tools that are too long for the model, as files of the container, where
 * its `read` and `grep` find them.
 */
export class DockerSpill extends SpillStore {
  static readonly inject = ['dockerWorld']

  private readonly world: DockerWorld

  constructor(ctx: Context) {
    super(ctx)
    this.world = ctx.dockerWorld
  }

  async saveText({ owner, suggestedName, content }: SaveTextSpill): Promise<SpillRef> {
    const { files } = await this.world.enter()
    const session = createHash('sha256').update(owner.sessionId).digest('hex').slice(0, 12)
    const path = posix.join(directory, session, `${randomBytes(6).toString('hex')}-${safeName(suggestedName)}`)
    const bytes = Buffer.from(content)
    await files.write(path, bytes, { guard: { kind: 'create' }, createParents: true, newFileMode: 0o600 })
    return {
      locator: SpillLocator(path),
      bytes: bytes.length,
      retrievalHint: 'Use read with offset/limit, or grep this path to search within it.',
    }
  }
}

function safeName(suggested: string): string {
  return suggested.replace(/[^A-Za-z0-9._-]/g, '_').slice(-maxNameLength)
}
