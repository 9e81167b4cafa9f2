import type { BashExecutor } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { quoted, run, stdoutOf } from '../support/commands.ts'

/** How much of two names has to differ for neither to be guessed from the other. */
const unguessableCharacters = 8

/** A spill can be read by whom it belongs to, and found by nobody else. */
export function spillPrivacy({ test, expect, expectCapability, capabilities, shared }: Suite): void {
  const spillPath = async (bash: BashExecutor): Promise<string> => {
    const path = (await run(bash, 'seq 5000')).stdout.spillPath
    expect(path).toMatch(/^\//)
    return path ?? ''
  }

  test('by mode: for its user alone, or closed to every user but for reading', async () => {
    const { bash } = await shared({ maxOutputBytes: 1000 })
    const path = quoted(await spillPath(bash))
    const modes = await stdoutOf(bash, `stat -c %a -- "$(dirname -- ${path})" ${path}`)
    const attempts = [`ls "$(dirname -- ${path})"`, `echo more >> ${path}`, `chmod u+w ${path}`, `rm -f ${path}`]
    const refused = attempts.map((attempt) => `{ ${attempt}; } >&2 2>/dev/null || echo refused`).join('; ')
    const isForItsUser = modes === '700\n600\n'
    const isClosed = (await stdoutOf(bash, refused)) === 'refused\n'.repeat(attempts.length)
    expectCapability('privateSpill', isForItsUser || isClosed)
  })

  test('by name: one does not tell the next', async () => {
    const { bash } = await shared({ maxOutputBytes: 1000 })
    const [first, second] = [await spillPath(bash), await spillPath(bash)]
    const differing = [...second].filter((character, i) => character !== first[i]).length
    expect(first === second).toBe(false)
    expect(differing >= unguessableCharacters || !capabilities.privateSpill).toBe(true)
  })
}
